import { PageTitle } from "../PageTitle.tsx";
import { SitePage } from "../SitePage.tsx";
import { Link } from "../Link.tsx";

interface ConfirmationPageProps {
  readonly title: string;
  readonly text: string;
  /** Link to continue with. */
  readonly link: { readonly href: string; readonly label: string };
}

/** Renders a page of text, such as the result of following a link, and a link to continue with. */
export function ConfirmationPage({ title, text, link }: ConfirmationPageProps) {
  return (
    <SitePage title={title}>
      <PageTitle title={title}>{text}</PageTitle>
      <p class="mt-7">
        <Link class="link font-strong" href={link.href}>{link.label}</Link>
      </p>
    </SitePage>
  );
}
