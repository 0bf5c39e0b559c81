import { AdminShell } from "@/components/admin/shell/AdminShell.tsx";
import { define } from "@/lib/services/services.ts";

export default define.layout(({ Component, state, url }) =>
  state.admin === undefined ? <Component /> : (
    <AdminShell admin={state.admin} path={url.pathname}>
      <Component />
    </AdminShell>
  )
);
