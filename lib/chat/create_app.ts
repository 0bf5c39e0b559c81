import type { Clock } from "@/lib/core/clock.ts";
import type { PasswordHasher } from "@/lib/core/password.ts";
import { createBatchedReads } from "@/lib/kv/batched_reads.ts";
import { createJointCommitter } from "@/lib/kv/joint_commit.ts";
import type { Store } from "@/lib/kv/open.ts";
import { createVersionedCache } from "@/lib/kv/versioned_cache.ts";
import type { ChatApp, ChatConfig } from "./app.ts";
import { createUserIdCache } from "./user_ids.ts";

const MAX_CACHED = 256;
const MAX_USER_IDS = 50_000;

/** Composes the chat over an open store. */
export function createChatApp(
  parts: {
    store: Store;
    clock: Clock;
    config: ChatConfig;
    passwords: PasswordHasher;
    secretKey: Uint8Array;
    wakeMailer: () => void;
    /** Without it, devices are told when somebody looks for what waits. */
    wakeNotifier?: () => void;
  },
): ChatApp {
  return {
    wakeNotifier: () => {},
    ...parts,
    reads: createBatchedReads(parts.store),
    caches: createVersionedCache(MAX_CACHED),
    realmIds: new Map(),
    sends: createJointCommitter(parts.store, ["seq", "message"]),
    presences: createJointCommitter(parts.store, ["seq", "presence"]),
    userIds: createUserIdCache(MAX_USER_IDS),
  };
}
