import { placeOf } from "@/lib/store/resident.ts";
import type { Key } from "@/lib/store/key.ts";
import type { ChatApp } from "./app.ts";

/**
 * Returns the services for the rest of a request that has read its organization: from then on the organization is as
 * this process knows it, which is at least as it was at that time, and is not read again.
 */
export function toAppOfRequest(app: ChatApp, realmId: number): ChatApp {
  const { replicas } = app.store;
  const readOrganization = (id: number) => id === realmId ? replicas.known(id) : app.readOrganization(id);
  return {
    ...app,
    readOrganization,
    reads: {
      async read<T>(key: Key) {
        const place = placeOf(key);
        if (place === null) return await app.reads.read<T>(key);
        return (await replicas.withRows(await readOrganization(place.realmId), place)).get<T>(key);
      },
    },
  };
}
