import { Switch } from "@mantine/core";
import type { QuietHours } from "@telltale/contract/domains/people/quiet-hours";
import { useState } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { TextField } from "../../form/text-field.tsx";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/control/button.tsx";
import classes from "./profile-page.module.css";
import { ProfilePage } from "./profile-page.tsx";
import { PushPanel } from "./push-panel.tsx";
import { useSaveProfile } from "./use-save-profile.ts";

const night = { from: 22 * 60, to: 6 * 60 };

/** `22:00` of minutes of the day. */
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Minutes of the day; 0 while the field is empty. */
const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
};

/** When the user is notified of urgent alerts only. Read-only in a support view. */
const QuietHoursForm = () => {
  const { user, can } = useSession();
  const isWritable = can("profile.write");
  const save = useSaveProfile();
  const [isOn, setOn] = useState(user.quietHours !== null);
  const hours = user.quietHours ?? night;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZoneId = user.quietHours?.timeZoneId ?? here;
  const submit = (data: FormData): void => {
    const asked: QuietHours = {
      from: minutesOf(String(data.get("from"))),
      to: minutesOf(String(data.get("to"))),
      timeZoneId: here,
    };
    save.mutate({ quietHours: isOn ? asked : null });
  };
  return (
    <ProfilePage title="Push and quiet hours">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(new FormData(event.currentTarget));
        }}
        onInput={() => save.isError && save.reset()}
      >
        <fieldset className={classes.fields} disabled={!isWritable}>
          <Switch
            className={classes.switch}
            label="Hold mails and pushes about P2 and P3 alerts during these hours"
            description="P1 alerts come at once. When the hours end, one message lists what still stands"
            checked={isOn}
            onChange={(event) => setOn(event.currentTarget.checked)}
          />
          {isOn && (
            <div className={classes.pair}>
              <TextField name="from" type="time" label="From" required defaultValue={clockOf(hours.from)} />
              <TextField
                name="to"
                type="time"
                label="To"
                required
                defaultValue={clockOf(hours.to)}
                description={`Local time of ${timeZoneId}`}
              />
            </div>
          )}
        </fieldset>
        <FormMessage>{save.error?.message}</FormMessage>
        {isWritable && (
          <Button type="submit" className={classes.save} loading={save.isPending}>
            Save
          </Button>
        )}
      </form>
    </ProfilePage>
  );
};

/** /quietHours: how and when the user is notified. */
export const QuietHoursScreen = () => (
  <>
    <QuietHoursForm />
    <PushPanel />
  </>
);
