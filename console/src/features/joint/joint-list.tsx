import { JointEnding, type JointRow, joint } from "@telltale/contract/domains/joint";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useMemo } from "react";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { LostLine } from "../../session/live/lost-line.tsx";
import { useLiveRefetch } from "../../session/live/use-live-refetch.ts";
import { LiveValuesContext, useLiveValues } from "../../session/live/use-live-values.ts";
import { useSession } from "../../session/session.ts";
import { text } from "../../table/filters/filters.ts";
import { useFilters } from "../../table/filters/use-filters.ts";
import { ListPage } from "../../table/list-page.tsx";
import { usePages } from "../../table/use-pages.ts";
import { useNavigate } from "../../ui/router/hooks.ts";
import { conditionLooks, type JointOperations, jointColumns } from "./joint-columns.tsx";
import { endingText } from "./joint-text.ts";
import { useSwitchJoint } from "./use-switch-joint.tsx";

/** Asks for confirmation before a joint control is deleted. */
const useRemoveJoint = () =>
  useRemoval({
    call: joint.remove,
    inputOf: ({ jointId }: JointRow) => ({ jointId }),
    invalidates: [joint.list],
    title: "Delete joint control",
    question: (row) => (
      <>
        Are you sure that you want to delete this joint control?
        <p>{row.name}</p>
        {row.enabled && row.isActive && (
          <p>
            Its alert is open now: {row.output.channelName} {row.ending === JointEnding.back && "goes "}
            {endingText(row)}.
          </p>
        )}
      </>
    ),
  });

const filtersOfList = { name: text("name") };
const keyOfRow = (row: JointRow) => row.jointId;

const meanings = [
  [conditionLooks.holds, "the alert that triggers it is open"],
  [conditionLooks.rests, "the alert is not open"],
  [conditionLooks.off, "it drives nothing"],
] as const;

/** Row operations for accounts that may use them. */
const useOperations = (
  remove: (row: JointRow) => void,
  askSwitch: ReturnType<typeof useSwitchJoint>["ask"],
): JointOperations | undefined => {
  const isEditor = useSession().can("joint.write");
  const navigate = useNavigate();
  return useMemo(
    () =>
      isEditor
        ? {
            edit: ({ jointId }) => void navigate({ to: "/jointAdd", search: { jointId } }),
            remove,
            enable: (row, enabled) => askSwitch({ row, enabled }),
          }
        : undefined,
    [isEditor, navigate, remove, askSwitch],
  );
};

/** The rules that drive digital outputs, with their current state. (decisions §4) */
export const JointList = (): ReactNode => {
  const filters = useFilters(filtersOfList);
  const pages = usePages(joint.list, filters.values);
  useLiveRefetch([joint.list], [LiveCommand.jointChange, LiveCommand.dashboardChange]);
  const live = useLiveValues(pages.isRefreshing, pages.loadedAt);
  const removing = useRemoveJoint();
  const switching = useSwitchJoint();
  const operations = useOperations(removing.ask, switching.ask);
  const columns = useMemo(() => jointColumns(filters.by.name, operations), [filters.by.name, operations]);
  return (
    <LiveValuesContext value={live}>
      <ListPage
        title="JOINT CONTROL"
        notice={<LostLine />}
        legendKey="telltale-joint-legend"
        meanings={meanings}
        add={operations && { label: "Add joint control", to: "/jointAdd" }}
        label="Joint controls"
        filters={filters}
        pages={pages}
        columns={columns}
        rowKey={keyOfRow}
        empty="There are no joint controls. One drives a digital output while an alert is open."
      />
      {removing.dialog}
      {switching.dialog}
    </LiveValuesContext>
  );
};
