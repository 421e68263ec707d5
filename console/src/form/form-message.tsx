import { IconAlertTriangle } from "@tabler/icons-react";
import classes from "./form-message.module.css";

/** What is wrong with a form as a whole, above its button: mostly the server's sentence. */
export const FormMessage = ({ id, children }: { id?: string; children: string | undefined }) =>
  children && (
    <p id={id} role="alert" className={classes.message}>
      <IconAlertTriangle size={16} aria-hidden />
      {children}
    </p>
  );
