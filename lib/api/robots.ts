const LONGEST_USER_AGENT = 1000;

/**
 * Names in the user agents of programs that fetch a link to show a preview or to index it: those of chat and mail
 * programs, social networks and search engines.
 */
const ROBOT_NAMES = new RegExp(
  [
    "applebot|bingbot|bingpreview|bitlybot|bluesky cardyb|bufferbot|discordbot|duckduckbot|embedly|facebookbot",
    "facebookexternalhit|facebot|feedfetcher-google|flipboardproxy|google-inspectiontool|google-pagerenderer",
    "google-read-aloud|googlebot|googleimageproxy|iframely|kakaotalk-scrap|line-poker|linkarchiver",
    "linkedinbot|linkpreview|mastodon\\/|mattermost-bot|meta-externalagent|meta-externalfetcher|microsoftpreview",
    "msnbot|nextcloud-news|nextcloud server crawler|outbrain|petalbot|pinterestbot|pleroma|quora link preview",
    "redditbot|rogerbot|skypeuripreview|slack-imgproxy|slackbot|snap url preview|summalybot|synapse \\(bot",
    "telegrambot|tumblr\\/|twitterbot|viberbot|vkshare|whatsapp\\/|xing-contenttabreceiver|yahoo! slurp",
    "yahoomailproxy|yandexbot|zoominfobot|zulipurlpreview",
  ].join("|"),
  "i",
);

/** Whether a user agent is that of a known robot, which no person waits for. */
export function isRobot(userAgent: string | null): boolean {
  return userAgent !== null && ROBOT_NAMES.test(userAgent.slice(0, LONGEST_USER_AGENT));
}

/** Whether a browser fetches a page that nobody has opened yet. */
export function isPrefetch({ headers }: Request): boolean {
  return /\bprefetch\b/i.test(
    headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "",
  );
}
