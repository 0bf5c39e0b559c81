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
    <SitePage title="Check your mail">
      <PageTitle title="Check your mail">
        A mail is on its way to <span class="text-ink break-words">{email}</span> that says how you go on to
        {" "}
        <span class="text-ink break-words">{organization}</span>. The link in it works for a day.
      </PageTitle>
      <p class="mt-6 max-w-[56ch]">
        Nothing there after a few minutes? Look among the unwanted mail, and whether the address above is
        right; if it is not, open the invitation again and type another.
      </p>
    </SitePage>
  );
}
