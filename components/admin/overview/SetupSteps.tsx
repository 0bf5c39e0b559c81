import type { ComponentChildren } from "preact";
import type { OverviewData } from "@/lib/admin/overview/overview_page.ts";
import type { MailStep, SetupStep } from "@/lib/admin/overview/setup_steps.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";
import { ActionButton } from "../ActionButton.tsx";
import { INVITE_PATH } from "../shell/nav_items.ts";
import { Link } from "../../Link.tsx";

interface SetupStepsProps extends Pick<OverviewData, "address" | "serverUrl"> {
  readonly steps: readonly SetupStep[];
}

/** Renders the first steps of an organization, each with its state and its action. */
export function SetupSteps({ steps, address, serverUrl }: SetupStepsProps) {
  const { messages, formatter } = useAdmin();
  const text = messages.overview;
  const count = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby="steps-title">
      <div class="mb-3 flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="steps-title">{text.stepsTitle}</h2>
        <p class="text-small text-soft tabular-nums">
          {formatter.t(text.stepsDone, { count, total: steps.length })}
        </p>
      </div>
      <ol class="mb-4 border-t border-rule">
        {steps.map((step) => (
          <li key={step.name} class="flex items-start gap-x-4 border-b border-rule py-4">
            <Mark isDone={step.isDone} />
            <div class="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-3">
              <div class="min-w-0 flex-[1_1_16rem]">
                <h3 class="font-strong">
                  {text.steps[step.name].title}
                  <span class="sr-only">: {step.isDone ? text.done : text.open}</span>
                </h3>
                <p class="max-w-[62ch] break-words text-soft">
                  <StepText step={step} address={address} serverUrl={serverUrl} />
                </p>
              </div>
              {(!step.isDone || step.name === "mail") && <StepAction step={step} />}
            </div>
          </li>
        ))}
      </ol>
      <ActionButton action="hide_steps" fields={{}}>{text.hideSteps}</ActionButton>
    </section>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  return (
    <span
      aria-hidden="true"
      class={`grid size-6 flex-none place-items-center rounded-full border text-small ${
        isDone ? "border-good text-good" : "border-edge"
      }`}
    >
      {isDone && "✓"}
    </span>
  );
}

function StepText({ step, address, serverUrl }: Omit<SetupStepsProps, "steps"> & { step: SetupStep }) {
  const { messages: { overview: { steps: text } }, formatter } = useAdmin();
  switch (step.name) {
    case "mail":
      return <>{formatter.t(text.mail[step.state], { address, reason: step.failure ?? "" })}</>;
    case "address":
      return <>{formatter.t(step.isDone ? text.address.done : text.address.open, { url: serverUrl })}</>;
    case "backup":
      return (
        <>
          {step.madeAt === null
            ? text.backup.open
            : formatter.t(text.backup.done, { moment: formatter.moment(step.madeAt) })}
        </>
      );
    default:
      return <>{step.isDone ? text[step.name].done : text[step.name].open}</>;
  }
}

function StepAction({ step }: { step: SetupStep }) {
  const { messages: { overview: { steps: text } } } = useAdmin();
  switch (step.name) {
    case "mail":
      return <MailAction {...step} />;
    case "people":
      return <StepLink path={INVITE_PATH}>{text.people.action}</StepLink>;
    case "channel":
      return <StepLink path="/admin/channels/new">{text.channel.action}</StepLink>;
    default:
      return null;
  }
}

function MailAction({ state, isDone }: MailStep) {
  const { messages } = useAdmin();
  if (state === "missing") {
    return <StepLink path="/admin/invitations?kind=link">{messages.overview.steps.mail.action}</StepLink>;
  }
  return (
    <form method="post">
      <input type="hidden" name="action" value="test_mail" />
      <button type="submit" class={isDone ? QUIET_BUTTON : PRIMARY_BUTTON}>
        {messages.organization.testMail}
      </button>
    </form>
  );
}

function StepLink({ path, children }: { path: string; children: ComponentChildren }) {
  return <Link class={`${QUIET_BUTTON} no-underline`} href={path}>{children}</Link>;
}
