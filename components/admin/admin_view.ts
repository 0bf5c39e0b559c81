import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AdminSession } from "@/lib/services/admin_session.ts";

/**
 * Context with the administrator for whom a page is rendered. Not available in islands, which receive their
 * text as props.
 */
export const AdminView = createContext<AdminSession | null>(null);

/** Returns the administrator for whom the page is rendered. */
export function useAdmin(): AdminSession {
  const admin = useContext(AdminView);
  if (admin === null) throw new Error("Admin components stand inside AdminShell");
  return admin;
}
