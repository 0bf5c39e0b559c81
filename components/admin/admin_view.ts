import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { AdminSession } from "@/lib/http/admin_session.ts";

/** Who looks at the page that is being drawn, and how he is spoken to; not there in islands, which are told what they say. */
export const AdminView = createContext<AdminSession | null>(null);

/** The administrator who looks at the page. */
export function useAdmin(): AdminSession {
  const admin = useContext(AdminView);
  if (admin === null) throw new Error("Admin components stand inside AdminShell");
  return admin;
}
