import { z } from "zod";
import { MAX_PICTURE_BYTES } from "../emoji/store_picture.ts";
import { MIB } from "../uploads/upload.ts";
import { openPart } from "./part.ts";

const PICTURE_MIB = MAX_PICTURE_BYTES / MIB;

/** How much the organization may upload, and how large its icon may be. */
export const uploadBounds = openPart(
  "realm",
  z.object({
    realm_upload_quota_mib: z.int().nullable().meta({
      description:
        "What all uploads of the organization take together at most; null where there is no bound.",
    }),
    max_icon_file_size_mib: z.int(),
  }),
  ({ app }) => ({
    realm_upload_quota_mib: app.config.uploadQuotaMib === 0 ? null : app.config.uploadQuotaMib,
    max_icon_file_size_mib: PICTURE_MIB,
  }),
);

/** How large one's own picture may be. */
export const avatarBound = openPart(
  "realm_user",
  z.object({ max_avatar_file_size_mib: z.int() }),
  () => ({ max_avatar_file_size_mib: PICTURE_MIB }),
);
