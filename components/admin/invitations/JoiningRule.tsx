import type { LinkJoining } from "@/lib/chat/organizations/model.ts";
import { useAdmin } from "../admin_view.ts";
import { Link } from "../../Link.tsx";

/** Renders how people join by a reusable link now, with a link to the setting. */
export function JoiningRule({ rule }: { rule: LinkJoining }) {
  const { messages: { invitations: text }, opens } = useAdmin();
  const path = "/admin/organization";
  return (
    <>
      {text.linkJoining[rule]}{" "}
      {opens(path) && <Link class="link" href={`${path}#joining`}>{text.changeJoining}</Link>}
    </>
  );
}
