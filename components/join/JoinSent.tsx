import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";

/** The address a link was sent to, and the organization. */
export interface JoinSentProps {
  readonly organization: string;
  readonly email: string;
}

/** Renders the same text for every address, so that the page never reveals who has an account. */
export function JoinSent({ organization, email }: JoinSentProps) {
  return (
    <SitePage title="Check your email">
      <PageTitle title="Check your email">
        We have sent instructions for joining <span class="text-ink break-words">{organization}</span> to{" "}
        <span class="text-ink break-words">{email}</span>. The link is valid for one day.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        If the email does not arrive within a few minutes, check your spam folder and the address above. If
        the address is wrong, open the invitation again and enter the correct one.
      </p>
    </SitePage>
  );
}
