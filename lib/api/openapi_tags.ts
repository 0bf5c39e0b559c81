/** A section of the API description with the first path segments that belong to it. */
interface Tag {
  readonly name: string;
  readonly description: string;
  readonly segments: readonly string[];
}

/** Sections in their order; each segment belongs to exactly one. */
const TAGS: readonly Tag[] = [
  tag(
    "Short URLs",
    "Shorten and resolve URLs, count visits, and manage links.",
    "/ {short} stats links blocked-hosts",
  ),
  tag(
    "Operation",
    "Health, readiness, metrics and the API description.",
    "health ready metrics openapi.json",
  ),
  tag(
    "Authentication",
    "API keys, signed tokens and sessions.",
    "fetch_api_key jwt server_settings sessions",
  ),
  tag("Users", "Users and bots.", "users bots bot_storage avatar"),
  tag("Groups", "User groups, their members and permissions.", "user_groups"),
  tag("Settings", "Personal settings.", "settings navigation_views"),
  tag(
    "Organization",
    "The organization's settings, profile fields, linkifiers, emoji and data exports.",
    "realm emoji export",
  ),
  tag("Invitations", "Invitations by email and reusable links.", "invites"),
  tag(
    "Channels",
    "Channels, their folders, subscriptions and topics.",
    "streams channels channel_folders default_streams get_stream_id user_topics",
  ),
  tag(
    "Messages",
    "Send, read, edit and search messages.",
    "messages external mark_topic_as_read mark_all_as_read mark_stream_as_read submessage typing drafts " +
      "saved_snippets scheduled_messages reminders",
  ),
  tag("Files and calls", "Uploads and video calls.", "user_uploads tus attachments calls"),
  tag(
    "Devices",
    "Devices and push notifications.",
    "mobile_push remotes register_client_device remove_client_device",
  ),
  tag("Events", "Real-time events and initial state.", "register events"),
];

function tag(name: string, description: string, segments: string): Tag {
  return { name, description, segments: segments.split(" ") };
}

/** Returns the section of a path; undefined when its first segment belongs to none. */
export function tagOf(path: string): string | undefined {
  const [first = ""] = path.replace(/^\/api\/v1\//, "/").slice(1).split("/");
  return TAGS.find(({ segments }) => segments.includes(first === "" ? "/" : first))?.name;
}

/** Returns the sections that contain at least one of the paths. */
export function describeTags(paths: readonly string[]): { name: string; description: string }[] {
  const used = new Set(paths.map(tagOf));
  return TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
}
