import { z } from "zod";
import { groupSettingSchema } from "@/lib/chat/organization/permissions/model/group_setting.ts";

/** Types of fields of the initial state. */
export const FIELD_TYPES = {
  text: z.string(),
  integer: z.int(),
  "integer or null": z.int().nullable(),
  number: z.number(),
  boolean: z.boolean(),
  permission: groupSettingSchema,
  list: z.array(z.unknown()),
  object: z.record(z.string(), z.unknown()),
};
/** Type of a field. */
export type FieldType = keyof typeof FIELD_TYPES;

/** Fields of the initial state that accounts and spectators receive, by type. */
export const PUBLIC_FIELDS: Readonly<Partial<Record<FieldType, string>>> = {
  text: `
    service_version service_merge_base realm_name realm_description realm_url realm_uri realm_icon_url
    realm_icon_source realm_bot_domain realm_empty_topic_display_name realm_default_avatar_source
    realm_default_code_block_language realm_default_language realm_logo_source
    realm_message_edit_history_visibility_policy realm_night_logo_source realm_topics_policy
    realm_logo_url realm_night_logo_url server_emoji_data_url realm_uuid`,
  integer: `
    last_event_id event_queue_longpoll_timeout_seconds service_feature_level realm_date_created
    max_stream_name_length max_stream_description_length max_channel_folder_name_length
    max_channel_folder_description_length max_topic_length max_message_length max_file_upload_size_mib
    password_min_length password_min_guesses password_max_length server_presence_ping_interval_seconds
    server_presence_offline_threshold_seconds server_typing_started_wait_period_milliseconds
    server_typing_started_expiry_period_milliseconds server_typing_stopped_wait_period_milliseconds
    realm_message_retention_days realm_org_type realm_plan_type realm_signup_announcements_stream_id
    realm_video_chat_provider realm_media_preview_size max_bulk_new_subscription_messages max_logo_file_size_mib server_generation max_icon_file_size_mib
    max_avatar_file_size_mib`,
  "integer or null": `
    realm_push_notifications_enabled_end_timestamp realm_move_messages_between_streams_limit_seconds
    realm_move_messages_within_stream_limit_seconds realm_upload_quota_mib`,
  boolean: `
    realm_enable_spectator_access realm_web_public_access_enabled realm_email_auth_enabled
    realm_push_notifications_enabled realm_require_e2ee_push_notifications realm_password_auth_enabled
    server_web_public_streams_enabled server_name_changes_disabled server_avatar_changes_disabled
    realm_allow_edit_history realm_allow_message_editing realm_avatar_changes_disabled
    realm_digest_emails_enabled realm_enable_guest_user_dm_warning realm_enable_guest_user_indicator
    realm_inline_image_preview realm_inline_url_embed_preview realm_invite_required
    realm_mandatory_topics realm_message_content_allowed_in_email_notifications
    realm_owner_full_content_access realm_require_unique_names realm_send_channel_events_messages
    realm_send_welcome_emails realm_want_advertise_in_communities_directory development_environment
    server_can_summarize_topics server_inline_image_preview server_inline_url_embed_preview
    server_needs_upgrade settings_send_digest_emails`,
  list: `
    server_thumbnail_formats streams channel_folders realm_default_streams subscriptions
    never_subscribed unsubscribed realm_users realm_non_active_users cross_realm_bots
    custom_profile_fields realm_linkifiers realm_filters realm_playgrounds`,
  object: `
    server_supported_permission_settings realm_authentication_methods
    realm_available_video_chat_providers custom_profile_field_types realm_default_external_accounts
    realm_emoji`,
};

/** Fields of the initial state that only accounts receive, by type. */
export const ACCOUNT_FIELDS: Readonly<Partial<Record<FieldType, string>>> = {
  text: `
    queue_id realm_welcome_message_custom_text realm_email_confirmation email delivery_email full_name
    avatar_url avatar_url_medium avatar_source`,
  integer: `
    max_message_id realm_waiting_period_threshold realm_new_stream_announcements_stream_id
    realm_moderation_request_channel_id realm_create_private_stream_policy
    realm_create_public_stream_policy realm_create_web_public_stream_policy
    realm_wildcard_mention_policy user_id presence_last_update_id`,
  "integer or null": `
    realm_message_content_edit_limit_seconds realm_message_content_delete_limit_seconds`,
  number: "server_timestamp",
  boolean: `
    realm_name_changes_disabled realm_email_changes_disabled realm_presence_disabled
    realm_enable_read_receipts realm_emails_restricted_to_domains
    realm_disallow_disposable_email_addresses is_admin is_owner is_moderator is_guest can_create_streams
    can_create_public_streams can_create_private_streams can_create_web_public_streams
    can_subscribe_other_users can_invite_others_to_realm has_videoprovider_token`,
  permission: `
    realm_can_access_all_users_group realm_can_add_subscribers_group realm_can_create_groups
    realm_can_create_private_channel_group realm_can_create_public_channel_group
    realm_can_create_web_public_channel_group realm_can_delete_any_message_group
    realm_can_delete_own_message_group realm_can_invite_users_group realm_can_manage_all_groups
    realm_can_mention_many_users_group realm_can_set_delete_message_policy_group
    realm_can_set_topics_policy_group realm_create_multiuse_invite_group
    realm_can_add_custom_emoji_group realm_can_create_bots_group realm_can_create_write_only_bots_group
    realm_can_manage_billing_group realm_can_move_messages_between_channels_group
    realm_can_move_messages_between_topics_group realm_can_resolve_topics_group
    realm_can_summarize_topics_group realm_direct_message_initiator_group
    realm_direct_message_permission_group`,
  list: `
    server_report_message_types realm_domains user_topics muted_topics muted_users alert_words
    realm_bots realm_user_groups saved_snippets starred_messages recent_private_conversations drafts
    onboarding_steps stop_words realm_default_stream_groups realm_embedded_bots
    realm_incoming_webhook_bots`,
  object: `
    unread_msgs user_settings realm_user_settings_defaults presences user_status devices realm_billing`,
};
