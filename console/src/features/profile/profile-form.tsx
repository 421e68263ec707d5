import { Button } from "@mantine/core";
import { commonPassword } from "@telltale/contract/person-fields";
import type { ReactNode } from "react";
import { FormMessage } from "../../form/form-message.tsx";
import { useSession } from "../../session/session.ts";
import classes from "./profile-page.module.css";
import { ProfilePage } from "./profile-page.tsx";
import type { ProfileFormState } from "./use-profile-form.ts";

interface ProfileFormProps {
  title: string;
  state: ProfileFormState;
  children: ReactNode;
}

/** An account screen with fields to save. A support view reads them only. (spec 2 §6) */
export const ProfileForm = ({ title, state: { form, save }, children }: ProfileFormProps) => {
  const isWritable = useSession().can("profile.write");
  return (
    <ProfilePage title={title}>
      <form {...form.props} method="post" onInput={() => save.isError && save.reset()}>
        <fieldset className={classes.fields} disabled={!isWritable}>
          {children}
        </fieldset>
        <FormMessage>{save.error?.message === commonPassword ? undefined : save.error?.message}</FormMessage>
        {isWritable && (
          <Button type="submit" className={classes.save} loading={save.isPending}>
            Save
          </Button>
        )}
      </form>
    </ProfilePage>
  );
};
