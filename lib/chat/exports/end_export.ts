import { settlePending } from "../files/store.ts";
import type { PendingBlob } from "../files/model.ts";
import { transact, type Tx } from "@/lib/store/transact.ts";
import { sendNotice } from "../announcements.ts";
import type { ChatApp } from "../app.ts";
import { realmUrl } from "../organizations/model.ts";
import { isBot } from "../users/model.ts";
import { sendExportsEvent } from "./events.ts";
import { getLeased, type LeasedExport } from "./export_lease.ts";
import { ARCHIVE_KEPT_MS, type ExportRecord, newSecret, toArchiveName, toArchivePath } from "./model.ts";
import { putExport } from "./store.ts";

/** The bytes of an archive, all of them. */
export interface WrittenArchive {
  readonly pending: PendingBlob;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Completes an export with its archive, in one commit with the message to the administrator who requested it.
 * @throws NoLongerDue when another process has taken over.
 */
export async function completeExport(
  app: ChatApp,
  leased: LeasedExport,
  { pending, size }: WrittenArchive,
): Promise<void> {
  const { realm, record } = leased;
  const name = toArchiveName(realm, record.created_at);
  const archive = { blob: pending.blob, size, name, secret: newSecret() };
  const url = `${realmUrl(app, realm)}${toArchivePath(realm.id, record, archive)}`;
  await endExport(app, leased, {
    text:
      `Your data export is complete. [Download the archive](${url}). It will be deleted after seven days.`,
    change: async (tx) => {
      await settlePending(tx, pending);
      return { archive, due_at: app.clock.now() + ARCHIVE_KEPT_MS };
    },
  });
}

/** Marks an export as failed, in one commit with the message to the administrator who requested it. */
export async function failExport(app: ChatApp, leased: LeasedExport): Promise<void> {
  await endExport(app, leased, {
    text: "Your data export failed. Ask the operator of the server for the reason, which is in its log.",
    change: () => Promise.resolve({ failed_at: app.clock.now(), due_at: null }),
  });
}

/** The last change of an export, and the message about it. */
interface ExportEnd {
  readonly text: string;
  readonly change: (tx: Tx) => Promise<Partial<ExportRecord>>;
}

async function endExport(
  app: ChatApp,
  leased: LeasedExport,
  { text, change }: ExportEnd,
): Promise<void> {
  const { realm, actor } = leased;
  const claim = async (tx: Tx) => {
    const { exports, current } = await getLeased(tx, leased);
    const ended = { ...current, lease: null, ...await change(tx) };
    sendExportsEvent(app, tx, { realm, exports: putExport(tx, { realmId: realm.id, exports }, ended) });
  };
  const target = { kind: "direct", userIds: [actor.id] } as const;
  const sent = isBot(actor) ? null : await sendNotice(app, realm, { target, text, claim });
  // Without a message, the export ends all the same.
  if (sent === null) await transact(app.store, claim);
}
