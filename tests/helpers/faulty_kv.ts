import type { AtomicOperation, Kv } from "@/lib/store/kv.ts";
/** Fate of a commit: it succeeds, is refused, or takes effect while its answer is lost. */
export type CommitFate = "succeeds" | "refused" | "answer lost";

/** Returns a view of a store whose commits meet the fates that `draw` returns. */
export function createFaultyKv(kv: Kv, draw: () => CommitFate): Kv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "atomic") return () => wrapAtomic(target.atomic(), draw);
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

function wrapAtomic(operation: AtomicOperation, draw: () => CommitFate): AtomicOperation {
  const wrapped: AtomicOperation = new Proxy(operation, {
    get(target, name) {
      if (name === "commit") return () => commit(target, draw());
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const result = member.apply(target, args);
        return result === target ? wrapped : result;
      };
    },
  });
  return wrapped;
}

async function commit(operation: AtomicOperation, fate: CommitFate) {
  if (fate === "refused") throw new Error("The commit was refused");
  const result = await operation.commit();
  if (fate === "answer lost") throw new Error("The answer of the commit was lost");
  return result;
}
