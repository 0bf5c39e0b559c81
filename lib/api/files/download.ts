import type { Context } from "fresh";
import contentDisposition from "content-disposition";
import {
  type FileViewer,
  getAccessibleUpload,
  getTemporaryUpload,
  getThumbnail,
} from "@/lib/chat/messages/downloads.ts";
import { getExportArchive } from "@/lib/chat/register/exports/manage_exports.ts";
import { exportKeys } from "@/lib/chat/register/exports/store.ts";
import { isInlineContentType, uploadKeys, type UploadRecord } from "@/lib/chat/organization/files/model.ts";
import { notLoggedIn } from "@/lib/chat/organization/users/model.ts";
import { isTagKnown } from "@/lib/core/bytes.ts";
import { AppError, STATUS } from "@/lib/core/errors.ts";
import { readBlob } from "@/lib/store/blob.ts";
import type { Key } from "@/lib/store/key.ts";
import { prefersPage } from "../accept.ts";
import { consumeLimits } from "../request_limits.ts";
import { getPageRealm, readSignedIn, sendOn } from "../page_session.ts";
import { hasCredentials, requireKeyHolder, requireOwnerOfKey, requireUsableKey } from "../principal.ts";
import type { State } from "@/lib/services/services.ts";

const STRANGER = { realm: null, user: null };
/** A file never changes, but access to it is checked for every request. */
const CACHE = "private, no-cache, immutable";
const NO_CACHE = "private, no-store";
/** Nothing in a file may run or load anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; sandbox";
/** Browsers do not show documents of this kind in a sandbox. */
const DOCUMENT_POLICY = "default-src 'none'; object-src 'self'; frame-ancestors 'self'";

/** A file, a thumbnail or an archive that is served. */
interface ServedFile extends Pick<UploadRecord, "blob" | "size" | "name" | "content_type"> {
  /** Key of its bytes; that of a file or a thumbnail by default. */
  readonly key?: Key;
  /** Whether no one may keep a copy of it. */
  readonly isTransient?: boolean;
}

/**
 * Serves the file at a path to a session, to an API key in the header or the query, or to anyone where it is
 * public.
 */
export function download(ctx: Context<State>): Promise<Response> {
  return serveTo(ctx, (viewer) => getAccessibleUpload(ctx.state.app.chat, viewer, pathIdOf(ctx)));
}

/** Serves the thumbnail at a path to those to whom `download` serves the file. */
export function downloadThumbnail(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  return serveTo(ctx, async (viewer) => {
    const { pathId, format } = thumbnailPathOf(ctx);
    const upload = await getAccessibleUpload(chat, viewer, pathId);
    return await getThumbnail(chat, viewer.realm.id, { upload, format });
  });
}

/** Serves the archive of a data export to administrators, like `download`. */
export function downloadExport(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const { realm_id: realmId = "", export_id: exportId = "", secret = "", filename: name = "" } = ctx.params;
  return serveTo(ctx, async (viewer) => {
    const archive = await getExportArchive(chat, viewer, { realmId, exportId, secret, name });
    const key = exportKeys.blob(viewer.realm.id, archive.blob);
    return { ...archive, key, content_type: "application/gzip", isTransient: true };
  });
}

async function serveTo(
  ctx: Context<State>,
  getFile: (viewer: FileViewer) => Promise<ServedFile>,
): Promise<Response> {
  const viewer = await identify(ctx);
  try {
    // An expired session differs from a missing one.
    if (viewer.user === null && hasCredentials(ctx)) throw notLoggedIn();
    return serve(ctx, viewer.realm.id, await getFile(viewer));
  } catch (error) {
    const isPerson = prefersPage(ctx.req.headers.get("accept"));
    if (viewer.user !== null || !isPerson || !(error instanceof AppError)) throw error;
    return sendOn(ctx, `/login?next=${encodeURIComponent(ctx.url.pathname)}`);
  }
}

/** Serves the file of a temporary link, or its thumbnail. */
export async function downloadTemporary(ctx: Context<State>): Promise<Response> {
  const { chat } = ctx.state.app;
  const realm = await getPageRealm(ctx);
  await consumeLimits(ctx, STRANGER);
  const { token = "", filename: name = "", format } = ctx.params;
  const upload = await getTemporaryUpload(chat, realm, { token, name: decode(name) });
  const file = format === undefined ? upload : await getThumbnail(chat, realm.id, { upload, format });
  return serve(ctx, realm.id, file);
}

/** Returns the decoded part of a file's path after `/user_uploads/`. */
export function pathIdOf({ params }: Pick<Context<State>, "params">): string {
  return `${params["realm_id"] ?? ""}/${decode(params["path"] ?? "")}`;
}

/** Returns the parts of a thumbnail's path after `/user_uploads/thumbnail/`: the file's, and the format. */
export function thumbnailPathOf(ctx: Pick<Context<State>, "params">): { pathId: string; format: string } {
  const path = pathIdOf(ctx);
  const end = path.lastIndexOf("/");
  return { pathId: path.slice(0, end), format: path.slice(end + 1) };
}

/** Segments arrive decoded except for characters with a meaning in paths. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Identifies and counts the caller like any request of the API; a client that guesses keys is counted as a
 * stranger.
 */
async function identify(ctx: Context<State>): Promise<FileViewer> {
  let viewer: FileViewer;
  try {
    viewer = await readViewer(ctx);
  } catch (error) {
    const isRefused = error instanceof AppError && STATUS[error.code] === 401;
    if (isRefused) await consumeLimits(ctx, STRANGER);
    throw error;
  }
  await consumeLimits(ctx, viewer);
  return viewer;
}

async function readViewer(ctx: Context<State>): Promise<FileViewer> {
  const { chat } = ctx.state.app;
  if (ctx.req.headers.has("authorization")) return await requireKeyHolder(ctx);
  const realm = await getPageRealm(ctx);
  const key = ctx.url.searchParams.get("api_key");
  if (key !== null) {
    return await requireUsableKey(ctx, { realm, user: await requireOwnerOfKey(chat, realm, key) });
  }
  const signedIn = await readSignedIn(ctx);
  return { realm, user: signedIn?.session.user ?? null };
}

function serve(ctx: Context<State>, realmId: number, file: ServedFile): Response {
  const { size, content_type: type } = file;
  const isInline = isInlineContentType(type);
  const etag = `"${file.blob}"`;
  const headers = new Headers({
    // Pages of this site could load a file of its own type, such as a script or a style sheet.
    "content-type": isInline ? type : "application/octet-stream",
    "content-disposition": contentDisposition(file.name, { type: isInline ? "inline" : "attachment" }),
    "x-content-type-options": "nosniff",
    "content-security-policy": type === "application/pdf" ? DOCUMENT_POLICY : POLICY,
    "cross-origin-resource-policy": "same-origin",
    "cache-control": file.isTransient === true ? NO_CACHE : CACHE,
    "accept-ranges": "bytes",
    etag,
    vary: "Authorization, Cookie",
  });
  if (isTagKnown(etag, ctx.req.headers.get("if-none-match"))) {
    return new Response(null, { status: 304, headers });
  }
  const range = readRange(ctx.req.headers, { size, etag });
  if (range === "unsatisfiable") {
    headers.set("content-range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size };
  headers.set("content-length", String(end - start));
  if (range !== null) headers.set("content-range", `bytes ${start}-${end - 1}/${size}`);
  const isHead = ctx.req.method === "HEAD";
  const key = file.key ?? uploadKeys.blob(realmId, file.blob);
  const { store, unreadResponses } = ctx.state.app;
  const content = isHead ? null : readBlob(store.kv, key, { start, end });
  const body = content && unreadResponses.watch(ctx.req, content);
  return new Response(body, { status: range === null ? 200 : 206, headers });
}

/** Parses the single requested range; null for the whole file, which also answers several ranges. */
function readRange(
  headers: Headers,
  { size, etag }: { size: number; etag: string },
): { start: number; end: number } | "unsatisfiable" | null {
  const condition = headers.get("if-range");
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get("range")?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (condition !== null && condition !== etag) return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end && start < size ? { start, end } : "unsatisfiable";
}
