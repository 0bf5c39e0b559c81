import { JoinAccount, type JoinAccountProps } from "./JoinAccount.tsx";
import { JoinAddress, type JoinAddressProps } from "./JoinAddress.tsx";
import { JoinUnavailable, type JoinUnavailableProps } from "./JoinUnavailable.tsx";
import { JoinAlreadyMember, type JoinAlreadyMemberProps } from "./JoinAlreadyMember.tsx";
import { JoinSent, type JoinSentProps } from "./JoinSent.tsx";

type JoinPageProps =
  | ({ readonly kind: "account" } & JoinAccountProps)
  | ({ readonly kind: "address" } & JoinAddressProps)
  | ({ readonly kind: "sent" } & JoinSentProps)
  | ({ readonly kind: "member" } & JoinAlreadyMemberProps)
  | ({ readonly kind: "dead" } & JoinUnavailableProps);

/** Renders the page that an invitation link opens. */
export function JoinPage(props: JoinPageProps) {
  switch (props.kind) {
    case "account":
      return <JoinAccount {...props} />;
    case "address":
      return <JoinAddress {...props} />;
    case "sent":
      return <JoinSent {...props} />;
    case "member":
      return <JoinAlreadyMember {...props} />;
    case "dead":
      return <JoinUnavailable {...props} />;
  }
}
