import { indexOfPath } from "./static_files.ts";

/**
 * Returns the request without slashes at the end of its path, which Fresh ignores only in paths without parameters;
 * the request itself if there are none or its URL, whose host the client sent, is invalid.
 */
export function withoutTrailingSlash(request: Request): Request {
  const { url } = request;
  const queryAt = url.indexOf("?");
  const pathEnd = queryAt === -1 ? url.length : queryAt;
  const pathStart = indexOfPath(url);
  let end = pathEnd;
  while (end - 1 > pathStart && url[end - 1] === "/") end--;
  if (end === pathEnd || !URL.canParse(url)) return request;
  return new Request(url.slice(0, end) + url.slice(pathEnd), request);
}
