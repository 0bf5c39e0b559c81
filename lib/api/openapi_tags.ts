/** A section of the API description with the first path segments that belong to it. */
interface Tag {
  readonly name: string;
  readonly description: string;
  readonly segments: readonly string[];
}

/** Sections in their order; each segment belongs to exactly one. */
const TAGS: readonly Tag[] = [
  tag("Short URLs", "Shorten, resolve and count.", "/ {short} stats"),
  tag("Operation", "For those who run the server.", "health ready metrics openapi.json"),
  tag(
    "Authentication",
    "From a password or a signed token to an API key.",
    "fetch_api_key jwt server_settings sessions",
  ),
  tag("Users", "People and bots.", "users bots avatar"),
  tag("Groups", "User groups, their members and who may change them.", "user_groups"),
  tag("Settings", "Your own settings.", "settings"),
  tag("Organization", "The organization that all of this belongs to.", "realm emoji"),
  tag("Invitations", "Asking people to join.", "invites"),
  tag(
    "Channels",
    "Channels, their folders, subscriptions and topics.",
    "streams channels channel_folders default_streams get_stream_id user_topics",
  ),
  tag(
    "Messages",
    "Writing, reading and finding.",
    "messages mark_topic_as_read mark_all_as_read mark_stream_as_read typing drafts saved_snippets",
  ),
  tag("Files and calls", "Uploads and video meetings.", "user_uploads tus attachments calls"),
  tag(
    "Devices",
    "Push notifications.",
    "mobile_push remotes register_client_device remove_client_device",
  ),
  tag("Events", "What happens, as it happens.", "register events"),
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
