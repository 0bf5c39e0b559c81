import PeopleFields from "@/islands/admin/people/PeopleFields.tsx";
import { useAdmin } from "../admin_view.ts";

/** Renders the island that turns the page's fields for people into searches; once on a page. */
export function PeopleSearch() {
  const { messages, formatter } = useAdmin();
  return <PeopleFields language={formatter.language} messages={messages.permissions.searchPeople} />;
}
