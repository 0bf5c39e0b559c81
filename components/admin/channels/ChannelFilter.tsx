import type { ChannelsView } from "@/lib/admin/channels/channels_page.ts";
import { useAdmin } from "../admin_view.ts";
import { FilterField, FilterForm, FilterSelect } from "../FilterForm.tsx";

/** Renders the filter of the channel list: name, kind and whether channels are archived. */
export function ChannelFilter({ view }: { view: ChannelsView }) {
  const { messages } = useAdmin();
  const text = messages.channels;
  const isFiltered = view.search !== "" || view.kind !== "" || view.state !== "active";
  const hidden = {
    ...(view.sort === "name" ? {} : { sort: view.sort }),
    ...(view.isDescending ? { order: "descending" } : {}),
  };
  return (
    <FilterForm clearPath={isFiltered ? "/admin/channels" : null} hidden={hidden} button={text.show}>
      <FilterField name="q" label={text.searchLabel} value={view.search} />
      <FilterSelect
        name="kind"
        label={text.kind}
        value={view.kind}
        choices={{
          "": text.anyKind,
          public: text.kinds.public,
          private: text.privateKinds,
          web: text.kinds.web,
        }}
      />
      <FilterSelect name="state" label={text.state} value={view.state} choices={text.states} />
    </FilterForm>
  );
}
