/** Work that a request may leave for later when the store fails. */
export interface Allowance {
  /** Kinds of rows that a success may lack: notices, emails of a worker, values that readers filter out. */
  readonly later?: readonly string[];
  /** Kinds of rows that a success may have in place of them: the work that is queued. */
  readonly queued?: readonly string[];
  /** Whether a refused request may have been carried out, because its answer needs reads after the commit. */
  readonly isRepeatable?: boolean;
  /** Whether it takes several commits, so that a refused request may be done in part; repeating it does the rest. */
  readonly isBulk?: boolean;
  /** Whether no other writer can come first. */
  readonly hasNoConflict?: boolean;
}

/** Kinds of rows of a message that the notification bot sends, and of its reading. */
const NOTICE = [
  ...["message", "message_facet", "sent_message", "event", "seq", "read", "read_version", "day_sum"],
  ...["channel_message", "topic", "topic_count", "topic_message", "named_topic_count"],
  ...["conversation", "conversation_message", "conversation_of", "direct_message"],
];

/** Kinds of rows of the channels that a new user joins and of the welcome message. */
const JOINING = [...NOTICE, "subscriber", "subscriber_count", "subscription"];

/** Kinds of rows of a browser's session. */
const SESSION = ["session", "user_session"];

const ALLOWANCES: Readonly<Record<string, Allowance>> = {
  "POST /api/v1/channels/create": { later: NOTICE },
  "PATCH /api/v1/streams/{stream_id}": { later: NOTICE },
  "PATCH /api/v1/messages/{message_id}": { later: NOTICE },
  "POST /api/v1/users/me/subscriptions": { later: NOTICE, isRepeatable: true, isBulk: true },
  "PATCH /api/v1/users/me/subscriptions": { later: NOTICE, isRepeatable: true, isBulk: true },
  "POST /api/v1/user_groups/create": { later: NOTICE },
  "POST /api/v1/user_groups/{user_group_id}/members": { later: NOTICE },
  "POST /api/v1/invites": { later: ["mail"], queued: ["invite_mailing"] },
  "DELETE /api/v1/realm/profile_fields/{field_id}": { later: ["profile_values"] },
  // One commit for each message, which lowers the count of the topic; the same request continues.
  "POST /api/v1/streams/{stream_id}/delete_topic": {
    queued: ["topic_count"],
    isRepeatable: true,
    isBulk: true,
  },
  // The check of the commit recognizes an earlier attempt of the same commit.
  "GET /{short}": { hasNoConflict: true },
  // The client does not know the upload, which expires.
  "POST /api/v1/tus": { later: ["upload_pending"] },
  // The bytes stored so far are kept, and the client asks for their number.
  "PATCH /api/v1/tus/{upload_id}": { isRepeatable: true, isBulk: true },
  "POST /api/v1/users": { later: JOINING, queued: ["invite_joining"] },
  "POST /admin/users/new create": { later: JOINING, queued: ["invite_joining"], isRepeatable: true },
  // The session begins after the account exists or has its new password; the user can sign in.
  "POST /join/{key}": { later: [...NOTICE, ...SESSION], queued: ["invite_joining"], isRepeatable: true },
  "POST /join/{key} link": { later: [...NOTICE, ...SESSION], queued: ["invite_joining"], isRepeatable: true },
  "POST /reset-password/{key} sign_in": { later: SESSION, isRepeatable: true },
  // The event ends what waits with the former session of the browser.
  "POST /account password": { later: [...SESSION, "event"], isRepeatable: true },
  // One commit for each channel of the folder; the same request continues.
  "POST /admin/channel-folders/{id}/archive archive": { later: NOTICE, isRepeatable: true, isBulk: true },
  // Items without the record of their action are never read, and expire.
  "POST /admin/bulk-actions/confirm apply": { isRepeatable: true, isBulk: true },
  "POST /admin/bulk-actions/{id} reactivate": { isRepeatable: true, isBulk: true },
  "POST /admin/users/import upload": { isRepeatable: true, isBulk: true },
  "POST /setup": { later: SESSION, isRepeatable: true },
  "POST /account rotate_key": { isRepeatable: true },
  "POST /api/v1/users/me/presence": { isRepeatable: true },
  "POST /api/v1/mark_stream_as_read": { isRepeatable: true, isBulk: true },
  "POST /api/v1/mark_topic_as_read": { isRepeatable: true, isBulk: true },
};

/** Returns the allowance of an endpoint or form. */
export function allowanceOf(endpoint: string): Allowance {
  return ALLOWANCES[endpoint] ?? (endpoint.startsWith("POST /admin/") ? ADMIN_FORM : {});
}

/** After its commit, a form reads names for its flash message; the page shows whether the change was made. */
const ADMIN_FORM: Allowance = {
  later: [...NOTICE, "mail", "profile_values"],
  queued: ["invite_mailing"],
  isRepeatable: true,
};

/** Changes of bytes that a sweep makes if a request did not: of those without a record. */
export const SWEPT_LATER: readonly string[] = [
  "upload_pending removed",
  "upload_chunk removed",
  "picture_chunk removed",
  "export_chunk removed",
];
/** Rows that a sweep removes: bytes without a record, and the names under which they wait. */
export const SWEPT_AWAY: readonly string[] = [
  "upload_pending added",
  "upload_pending changed",
  "upload_chunk added",
  "picture_chunk added",
];
