import type { ComponentChildren } from "preact";
import type { SetupStep } from "./setup_steps.ts";
import { PRIMARY_BUTTON, QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { ActionButton } from "@/components/admin/ActionButton.tsx";
import { Link } from "@/components/Link.tsx";

/** Renders the first steps of an organization as a strip: the next one, and all of them on request. */
export function SetupStrip({ steps }: { steps: readonly SetupStep[] }) {
  const { t } = useAdmin();
  const next = steps.find(({ isDone }) => !isDone);
  const count = steps.filter(({ isDone }) => isDone).length;
  return (
    <section
      aria-labelledby="steps-title"
      class="mb-9 rounded-panel border border-rule bg-raised px-5 pt-4 pb-2 sm:px-6"
    >
      <div class="flex flex-wrap items-center gap-x-5 gap-y-1">
        <h2 id="steps-title">{t("Get started")}</h2>
        <p class="flex items-center gap-x-3 text-small text-soft tabular-nums">
          <Progress steps={steps} />
          {t("{count} of {total} done", { count, total: steps.length })}
        </p>
      </div>
      {next !== undefined && (
        <div class="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-2 pb-3">
          <StepBody step={next}>
            <p class="font-strong">{next.title}</p>
          </StepBody>
          <StepAction step={next} isMain />
        </div>
      )}
      <div class="relative border-t border-rule">
        <details>
          <summary class="min-h-10 w-fit content-center text-small font-medium">{t("All steps")}</summary>
          <ol>
            {steps.map((step) => (
              <li key={step.title} class="flex items-start gap-x-3 border-t border-rule py-3">
                <Mark isDone={step.isDone} />
                <div class="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-3">
                  <StepBody step={step}>
                    <h3 class="font-strong">
                      {step.title}
                      <span class="sr-only">: {t(step.isDone ? "Done" : "To do")}</span>
                    </h3>
                  </StepBody>
                  <StepAction step={step} />
                </div>
              </li>
            ))}
          </ol>
        </details>
        <div class="absolute -top-0.5 end-0">
          <ActionButton action="hide_steps" fields={{}}>{t("Hide these steps")}</ActionButton>
        </div>
      </div>
    </section>
  );
}

/** Renders one bar for each step; the text beside it says the same. */
function Progress({ steps }: { steps: readonly SetupStep[] }) {
  return (
    <span aria-hidden="true" class="flex gap-x-1">
      {steps.map(({ title, isDone }) => (
        <span
          key={title}
          class={`h-1.5 w-5 rounded-full forced-colors:border ${
            isDone ? "bg-good forced-colors:border-3" : "bg-edge opacity-50"
          }`}
        />
      ))}
    </span>
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

/** Renders the title of a step, what it is for, the command if it needs one, and the link to its document. */
function StepBody({ step, children }: { step: SetupStep; children: ComponentChildren }) {
  const { t } = useAdmin();
  return (
    <div class="min-w-0 flex-[1_1_16rem]">
      {children}
      <p class="max-w-[62ch] break-words text-soft">
        {step.text}{" "}
        <Link class="link whitespace-nowrap" href={step.document}>
          {t("Read more")}
          <span class="sr-only">: {step.title}</span>
        </Link>
      </p>
      {!step.isDone && step.command !== null && (
        <code dir="ltr" class="mt-1.5 block max-w-[62ch] font-mono text-small break-words select-all">
          {step.command}
        </code>
      )}
    </div>
  );
}

function StepAction({ step: { isDone, action }, isMain = false }: { step: SetupStep; isMain?: boolean }) {
  const { t } = useAdmin();
  if (action === null) return null;
  const look = isMain ? PRIMARY_BUTTON : QUIET_BUTTON;
  if (action !== "test_mail") {
    return <Link class={`${look} no-underline`} href={action.path}>{action.name}</Link>;
  }
  return (
    <form method="post">
      <input type="hidden" name="action" value="test_mail" />
      <button type="submit" class={isDone ? QUIET_BUTTON : look}>{t("Send test email")}</button>
    </form>
  );
}
