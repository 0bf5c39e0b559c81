import assert from "node:assert/strict";
import type { Cluster } from "@/tests/helpers/cluster.ts";
import { waitFor } from "@/tests/helpers/wait.ts";
import { call, type Garden } from "./load.ts";
import { createPoller } from "./poller.ts";

const INVITED = 20;
const SCHEDULED = 10;
/** Seconds until the scheduled messages are due. */
const DELAY = 8;

/** Invites people by mail, each of whom must receive one. */
export async function mailInvitations(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  const addresses = Array.from({ length: INVITED }, (_, at) => `invited${at}@example.com`);
  await call(cluster.url, owner, ["POST", "invites", { invitee_emails: addresses.join(), stream_ids: [] }]);
  const listRecipients = () => cluster.smtp.received.flatMap(({ recipients }) => recipients);
  await waitFor("all invitations are mailed", listRecipients, { isMet: ({ length }) => length >= INVITED });
}

/** Schedules messages and waits until they are sent. */
export async function sendScheduled(cluster: Cluster, { people: [owner], channelId }: Garden): Promise<void> {
  const poller = await createPoller(cluster.url, owner);
  const { server_timestamp } = await call(cluster.url, owner, ["POST", "users/me/presence", {
    status: "active",
  }]);
  const due = Math.floor(server_timestamp) + DELAY;
  await Promise.all(
    Array.from({ length: SCHEDULED }, (_, at) =>
      call(cluster.url, owner, ["POST", "scheduled_messages", {
        ...{ type: "channel", to: channelId, topic: "later", content: `message ${at}` },
        scheduled_delivery_timestamp: due,
      }])),
  );
  await poller.receiveMessages(SCHEDULED);
}

/** Waits until the export is complete on every server, and no other one was made. */
export async function exportOnce(cluster: Cluster, { people: [owner] }: Garden): Promise<void> {
  const { id } = await call(cluster.url, owner, ["POST", "export/realm", {}]);
  for (const { url } of cluster.servers) {
    const readExports = async () => (await call(url, owner, ["GET", "export/realm"])).exports;
    const exports = await waitFor("the export is complete", readExports, {
      isMet: ([one]) => one !== undefined && !one.pending,
    });
    assert.deepEqual(exports.map((one: { id: number }) => one.id), [id]);
    assert.notEqual(exports[0].export_url, null);
  }
}

/** Asserts that nothing was done twice, after all workers had time to do so. */
export async function requireOnce(cluster: Cluster, { people: [owner], channelId }: Garden): Promise<void> {
  const { messages } = await call(cluster.url, owner, ["GET", "messages", {
    ...{ anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false },
    narrow: [["channel", channelId], ["topic", "later"]],
  }]);
  const contents = messages.map(({ content }: { content: string }) => content).sort();
  assert.deepEqual(contents, Array.from({ length: SCHEDULED }, (_, at) => `message ${at}`).sort());
  const recipients = cluster.smtp.received.flatMap((mail) => mail.recipients)
    .filter((address) => address.startsWith("invited"));
  assert.deepEqual([recipients.length, new Set(recipients).size], [INVITED, INVITED]);
}
