import fc from "@/tests/helpers/fast_check.ts";
import type { Header } from "./request.ts";
import { hostileText } from "./values.ts";

/** Methods, of which some are unknown to the server. */
export const METHODS = [
  "GET",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "PROPFIND",
  "TRACE",
  "get",
];
/** Path segments that no client sends. */
export const SEGMENTS = [
  "",
  ".",
  "..",
  "%",
  "%zz",
  "%ff",
  "%00",
  "%2e%2e",
  "%2F",
  "%252F",
  "a;b",
  "a%0d%0ab",
  "%F0%9F%8C%B9",
  "%ed%a0%80",
  "me",
  "-1",
  "0",
  "1e3",
  "99999999999999999999",
  "١",
  "\udcff",
  "~",
  "a:b@c",
  "x".repeat(3000),
];

/** Returns headers that no well-behaved client sends, or seldom. */
export function hostileHeaders(): fc.Arbitrary<Header[]> {
  const value = hostileText().map((text) => text.replaceAll(/[\0\r\n]/g, " ").trim());
  const names = fc.constantFrom(
    "accept",
    "accept-language",
    "accept-encoding",
    "authorization",
    "cookie",
    "content-type",
    "if-none-match",
    "if-modified-since",
    "origin",
    "range",
    "referer",
    "sec-fetch-site",
    "user-agent",
    "x-forwarded-for",
    "x-request-id",
    "x-fuzz",
  );
  const usual = fc.constantFrom<Header>(
    ["accept", "text/html"],
    ["accept", "application/json;q=0"],
    ["accept-language", "ar-XB, en;q=0"],
    ["accept-encoding", "gzip, br;q=0.5"],
    ["authorization", "Basic %%%"],
    ["authorization", "Basic " + btoa("a")],
    ["authorization", "Bearer x"],
    ["authorization", "Basic"],
    ["cookie", "sotto_session=%zz; sotto_flash=%7B; a=b=c; =; ;;"],
    ["range", "bytes=0-0,5-1,-1"],
    ["range", "bytes=9999999999999-"],
    ["if-none-match", '*, W/"x'],
    ["expect", "100-continue"],
    ["content-type", "multipart/form-data"],
    ["content-type", 'multipart/form-data; boundary=""'],
    ["content-type", "application/x-www-form-urlencoded; charset=utf-7"],
    ["x-forwarded-for", "1.2.3.4, ::ffff:1.2.3.4, fe80::1%eth0, nonsense"],
    ["x-forwarded-for", "999.1.1.1"],
    ["upgrade", "websocket"],
    ["sec-fetch-site", "cross-site"],
    ["tus-resumable", "1.0.0"],
  );
  return fc.array(fc.oneof(usual, fc.tuple(names, value)), { minLength: 1, maxLength: 3 });
}
