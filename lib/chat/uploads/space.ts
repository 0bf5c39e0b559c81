import { AppError } from "@/lib/core/errors.ts";
import type { Tx } from "@/lib/kv/transact.ts";
import type { ChatApp } from "../app.ts";
import { MIB, uploadKeys } from "./upload.ts";

/**
 * The bytes that the organization uses with these, which are counted from now on; fewer where `bytes` is below 0.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function useSpace(
  app: Pick<ChatApp, "config">,
  tx: Tx,
  space: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = await requireSpace(app, tx, space);
  tx.set(uploadKeys.spaceUsed(space.realmId), used);
  return used;
}

/**
 * The bytes that the organization would use with these.
 * @throws AppError REALM_UPLOAD_QUOTA.
 */
export async function requireSpace(
  { config }: Pick<ChatApp, "config">,
  tx: Tx,
  { realmId, bytes }: { readonly realmId: number; readonly bytes: number },
): Promise<number> {
  const used = (await tx.get<number>(uploadKeys.spaceUsed(realmId)) ?? 0) + bytes;
  const quota = config.uploadQuotaMib * MIB;
  if (bytes > 0 && quota > 0 && used > quota) {
    throw new AppError("REALM_UPLOAD_QUOTA", "Upload would exceed your organization's upload quota.");
  }
  return used;
}
