import { type FormEvent, type ReactNode, Suspense, useEffect, useId, useRef } from "react";
import { initials } from "../../../domain/alerts/initials.ts";
import { FormMessage } from "../../../form/form-message.tsx";
import { useSession } from "../../../session/session.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Button } from "../../../ui/control/button.tsx";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import page from "../profile-page.module.css";
import { ProfilePage } from "../profile-page.tsx";
import classes from "./photo.module.css";
import { type Area, drawCrop, pictureTypes } from "./picture.ts";
import { type Photo, usePhoto } from "./use-photo.ts";

interface CropCanvasProps {
  picture: ImageBitmap;
  area: Area;
  /** Edge in pixels as shown. */
  size: number;
}

/** The crop of a picture as it will look. */
const CropCanvas = ({ picture, area, size }: CropCanvasProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const edge = Math.round(size * devicePixelRatio);
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, area);
  }, [picture, area]);
  return <canvas ref={canvas} width={edge} height={edge} style={{ width: size, height: size }} aria-hidden />;
};

// Heavy, and not needed on the other pages of the account.
const CropField = lazyWithRetry(() => import("./crop-field.tsx"), "CropField");

/** Previews of the photo: large, and as small as in the header. */
const Preview = ({ photo: { picture, area } }: { photo: Photo }) => (
  <figure className={classes.preview}>
    <CropCanvas {...{ picture, area }} size={96} />
    <CropCanvas {...{ picture, area }} size={32} />
    <figcaption>As it will look</figcaption>
  </figure>
);

const Current = () => {
  const { user } = useSession();
  return <Avatar src={user.avatar} initials={initials(user)} size={128} />;
};

interface ChooseProps {
  label: string;
  describedBy: string;
  onChoose: (file: File) => void;
}

const Choose = ({ label, describedBy, onChoose }: ChooseProps): ReactNode => {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={pictureTypes.join(",")}
        aria-label="Profile photo"
        tabIndex={-1}
        className={classes.file}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onChoose(file);
          // Allows choosing the same file again.
          currentTarget.value = "";
        }}
      />
      <Button
        variant="default"
        aria-describedby={describedBy}
        onPointerEnter={CropField.preload}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
};

/** /profilePhoto: a JPG or PNG, cropped to a square. */
export const PhotoForm = () => {
  const isWritable = useSession().can("profile.write");
  const { photo, validationError, failure, isSaving, ...act } = usePhoto();
  const hint = useId();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void act.send();
  };
  return (
    <ProfilePage title="Profile photo">
      <form onSubmit={save}>
        <div className={classes.photo}>
          {photo ? (
            <Suspense fallback={<Current />}>
              <CropField file={photo.file} onChange={act.place} />
            </Suspense>
          ) : (
            <Current />
          )}
          {photo && <Preview photo={photo} />}
          {isWritable && (
            <div className={classes.choice}>
              <Choose
                label={photo ? "Choose another" : "Choose a photo"}
                describedBy={hint}
                onChoose={(file) => void act.choose(file)}
              />
              <p id={hint}>JPG or PNG, at most 1 MB</p>
            </div>
          )}
        </div>
        <FormMessage>{validationError ?? failure}</FormMessage>
        {isWritable && (
          <div className={classes.actions}>
            <Button type="submit" className={page.save} loading={isSaving}>
              Save
            </Button>
            {photo && (
              <Button variant="default" className={page.save} onClick={act.drop} disabled={isSaving}>
                Cancel
              </Button>
            )}
          </div>
        )}
      </form>
    </ProfilePage>
  );
};
