import { PageTitle } from "./PageTitle.tsx";
import { SitePage } from "./SitePage.tsx";

/** Where people of an organization will sign in; nobody can yet. */
export function Login() {
  return (
    <SitePage title="Sign in" current="/login">
      <PageTitle title="Sign in">There is nobody to sign in yet: this server has no organization.</PageTitle>
      <p class="mt-6 max-w-[56ch]">
        Organizations are not part of this version of Sotto. It shortens links, and for that nobody needs an
        account.
      </p>
      <p class="mt-6">
        <a class="link font-strong" href="/">Shorten a URL</a>
      </p>
    </SitePage>
  );
}
