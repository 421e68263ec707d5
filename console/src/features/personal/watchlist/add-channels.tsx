import { personal, type WatchChoice } from "@telltale/contract/domains/people/personal";
import { type FormEvent, type ReactNode, useState } from "react";
import { offered, PickList, useSearch } from "../../../form/pick-list.tsx";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { useLeave } from "../../../ui/router/hooks.ts";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./personal.module.css";

const keyOfChoice = (row: WatchChoice): string => String(row.deviceChannelId);

/** Selects channels for the watchlist, among all that the user may see. */
export const AddChannels = (): ReactNode => {
  const leave = useLeave();
  const search = useSearch();
  const { data, error } = useCall(personal.choices, {
    size: offered,
    ...(search.name !== undefined && { name: search.name }),
  });
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [validationError, setError] = useState<string>();
  const { mutate, isPending } = useAction(personal.add, {
    success: "Add success",
    invalidates: [personal.list, personal.choices],
    onDone: () => leave({ to: "/personal" }),
  });
  const toggle = ({ deviceChannelId: id }: WatchChoice) => {
    setError(undefined);
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen.length === 0) setError("Please select a channel");
    else mutate({ deviceChannelIds: [...chosen] });
  };
  return (
    <>
      <PageTitle>
        <small>
          <Link to="/personal">WATCHLIST</Link> /
        </small>{" "}
        Add
      </PageTitle>
      <form className={classes.form} noValidate onSubmit={submit}>
        <PickList
          legend={
            <>
              Channels <small>{chosen.length} chosen</small>
            </>
          }
          field="deviceChannelIds"
          kind="many"
          search={search}
          placeholder="Search by channel, device name or device ID"
          found={data && { rows: data.data, total: data.total }}
          groupOf={({ deviceSnId, deviceName }) => ({ key: deviceSnId, name: deviceName })}
          row={{ keyOf: keyOfChoice, label: ({ channelName }) => channelName }}
          isChosen={({ deviceChannelId }) => chosen.includes(deviceChannelId)}
          onToggle={toggle}
          none="No channel or device of this name"
          error={validationError ?? error?.message}
        />
        <div className={classes.buttons}>
          <Button type="submit" loading={isPending}>
            Add to watchlist
          </Button>
          <Button component={Link} to="/personal" leaves variant="default">
            Cancel
          </Button>
        </div>
      </form>
    </>
  );
};
