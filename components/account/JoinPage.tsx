import { JoinAccount, type JoinAccountProps } from "./JoinAccount.tsx";
import { JoinAddress, type JoinAddressProps } from "./JoinAddress.tsx";
import { JoinGone, type JoinGoneProps } from "./JoinGone.tsx";
import { JoinMember, type JoinMemberProps } from "./JoinMember.tsx";
import { JoinSent, type JoinSentProps } from "./JoinSent.tsx";

type JoinPageProps =
  | ({ readonly kind: "account" } & JoinAccountProps)
  | ({ readonly kind: "address" } & JoinAddressProps)
  | ({ readonly kind: "sent" } & JoinSentProps)
  | ({ readonly kind: "member" } & JoinMemberProps)
  | ({ readonly kind: "dead" } & JoinGoneProps);

/** What a link to join leads to. */
export function JoinPage(props: JoinPageProps) {
  switch (props.kind) {
    case "account":
      return <JoinAccount {...props} />;
    case "address":
      return <JoinAddress {...props} />;
    case "sent":
      return <JoinSent {...props} />;
    case "member":
      return <JoinMember {...props} />;
    case "dead":
      return <JoinGone {...props} />;
  }
}
