import { IconAlertTriangle } from "@tabler/icons-react";
import classes from "./form-message.module.css";

/** An error of the whole form, shown above its button: usually the server's sentence. */
export const FormMessage = ({ id, children }: { id?: string; children: string | undefined }) =>
  children && (
    <p id={id} role="alert" className={classes.message}>
      <IconAlertTriangle size={16} aria-hidden />
      {children}
    </p>
  );
