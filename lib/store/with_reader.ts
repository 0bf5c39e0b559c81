/**
 * Makes a store read through another connection to the same file, and returns it: reads on a connection wait behind a
 * commit that waits for the lock of another process. Closing it closes both.
 */
export function withReader(kv: Deno.Kv, reader: Deno.Kv): Deno.Kv {
  const close = kv.close.bind(kv);
  const reads: Pick<Deno.Kv, "get" | "getMany" | "list" | "close"> = {
    get: reader.get.bind(reader),
    getMany: reader.getMany.bind(reader),
    list: reader.list.bind(reader),
    close() {
      reader.close();
      close();
    },
  };
  return Object.assign(kv, reads);
}
