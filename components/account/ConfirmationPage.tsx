import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";

interface ConfirmationPageProps {
  readonly title: string;
  readonly text: string;
  /** Where one goes on. */
  readonly link: { readonly href: string; readonly label: string };
}

/** What a link from a mail did, or that it no longer works, and where one goes on. */
export function ConfirmationPage({ title, text, link }: ConfirmationPageProps) {
  return (
    <SitePage title={title}>
      <PageTitle title={title}>{text}</PageTitle>
      <p class="mt-7">
        <a class="link font-strong" href={link.href}>{link.label}</a>
      </p>
    </SitePage>
  );
}
