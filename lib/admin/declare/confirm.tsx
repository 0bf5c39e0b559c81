import type { ComponentChildren, FunctionComponent } from "preact";
import { useAdmin } from "@/components/admin/admin_view.ts";
import { AdminForm } from "@/components/admin/AdminForm.tsx";
import { useFormState } from "@/components/admin/form_state.ts";
import { CancelLink } from "@/components/admin/CancelLink.tsx";
import { AppError } from "@/lib/core/errors.ts";
import { DANGER_BUTTON, PRIMARY_BUTTON } from "@/lib/ui/class_names.ts";
import { GONE } from "@/lib/ui/texts.ts";
import type { Done } from "../admin_page.ts";
import type { AdminRequest } from "../admin_request.ts";
import type { FormFields } from "../form_fields.ts";
import { atRevision, REVISION_FIELD, revisionOf } from "../revision.ts";
import {
  type Above,
  adminPage,
  type DeclaredPage,
  type PageFrame,
  toCrumbs,
  useWording,
  type Wording,
} from "./page.tsx";

/** Specification of a page that asks before an action. */
interface ConfirmSpec<Data> extends PageFrame<Data> {
  readonly above: Above<Data>;
  /** Name of the form, sent as the field `action`. */
  readonly action: string;
  /** Label of the button, which names the effect. */
  readonly button: Wording<Data>;
  /** Whether the action destroys or ends nothing. */
  readonly isHarmless?: boolean | ((data: Data) => boolean);
  /** Whether the action cannot be undone, which the page then says. */
  readonly isFinal?: boolean;
  /** Returns the stored values of which the form carries the revision. */
  readonly stored?: (data: Data) => unknown;
  readonly hidden?: (data: Data) => Readonly<Record<string, string>>;
  /** Renders what the action affects and what is lost. */
  readonly view: FunctionComponent<{ data: Data }>;
  /** Renders the fields of the form. */
  readonly fields?: FunctionComponent<{ data: Data }>;
  /** Performs the action and returns to the page above, if it names no other. */
  readonly run: (request: AdminRequest, data: Data, submitted: FormFields) => Promise<Done>;
}

/** Declares a page that confirms an action; a script shows its content in a dialog. */
export function confirmPage<Data>(spec: ConfirmSpec<Data>): DeclaredPage {
  const { path, title, above, load, action, run } = spec;
  const read = async (request: AdminRequest) => {
    const data = await load(request);
    return data === null ? null : spec.stored?.(data);
  };
  const work = async (request: AdminRequest, submitted: FormFields): Promise<Done> => {
    const data = await load(request);
    if (data === null) throw new AppError("NOT_FOUND", request.t(GONE));
    return {
      to: toCrumbs(above, data, request).at(-1)?.path ?? "/admin",
      ...await run(request, data, submitted),
    };
  };
  return adminPage<Data>({
    ...{ path, title, above, load },
    find: spec.find ?? null,
    ...(spec.shows === undefined ? {} : { shows: spec.shows }),
    forms: [{ action, run: spec.stored === undefined ? work : atRevision(read, work) }],
    view: ({ data }) => {
      const admin = useAdmin();
      const { view: View, fields: Fields, stored, isHarmless = false } = spec;
      const revision = stored === undefined ? {} : { [REVISION_FIELD]: revisionOf(stored(data)) };
      return (
        <Confirm
          action={action}
          button={useWording(data)(spec.button)}
          back={toCrumbs(above, data, admin).at(-1)?.path ?? "/admin"}
          isHarmless={typeof isHarmless === "function" ? isHarmless(data) : isHarmless}
          hidden={{ ...spec.hidden?.(data), ...revision }}
          fields={Fields === undefined ? undefined : <Fields data={data} />}
        >
          <View data={data} />
          {spec.isFinal && <p>{admin.t("This cannot be undone.")}</p>}
        </Confirm>
      );
    },
  });
}

interface ConfirmProps {
  readonly action: string;
  readonly button: string;
  /** Path of the page that the link beside the button leads to. */
  readonly back: string;
  readonly isHarmless?: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: ComponentChildren;
  /** Consequences of the action. */
  readonly children: ComponentChildren;
}

/** Renders the consequences of an action and the form that performs it. */
export function Confirm(
  { action, button, back, isHarmless = false, hidden = {}, fields, children }: ConfirmProps,
) {
  return (
    <div class="max-w-[58ch]" data-confirm="">
      <div class="mb-6 grid gap-2">{children}</div>
      <AdminForm
        state={useFormState({ action })}
        button={button}
        look={isHarmless ? PRIMARY_BUTTON : DANGER_BUTTON}
        hidden={hidden}
        beside={<CancelLink to={back} />}
      >
        {fields}
      </AdminForm>
    </div>
  );
}
