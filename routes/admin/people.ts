import { searchPeople } from "@/lib/admin/people/search_people.ts";
import { methods } from "@/lib/api/methods.ts";

export const handler = methods({ GET: searchPeople });
