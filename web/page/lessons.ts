// The lessons of the built-in course or a teacher's course, with the student's progress.

import { announce, byId, make, markdown, setText } from "./dom";
import { letteredBoard } from "./leds";
import { type Machine, Refusal, attempt } from "./machine";
import type { Jobs } from "./jobs";
import type { Problems } from "./problems";
import type { CourseReport, LessonReport } from "./protocol";
import type { Folder, Store } from "./store";

export interface Events {
  /** Opens the lessons at their top, with a student's program. */
  open(file: string): void;
  /** Runs the program in the editor. */
  run(): void;
}

export class Lessons {
  course: CourseReport;
  private lesson: LessonReport | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly store: Store,
    private readonly jobs: Jobs,
    private readonly events: Events,
  ) {
    this.course = this.enter(store.course);
    this.goToUnsolved();
    byId("hint").addEventListener("click", () => this.hint());
    byId("built-in").addEventListener("click", () => {
      this.adopt(null);
      this.events.open(this.present);
    });
  }

  /** Opens a course. If a stored course is no longer valid, opens the built-in course instead. */
  private enter(given: Folder | null): CourseReport {
    if (given === null) return this.openCourse(null);
    return attempt(() => this.openCourse(given), () => {
      this.store.setAside("course", given.folder);
      return this.openCourse(null);
    });
  }

  /** Opens a course with the stored progress. */
  private openCourse(course: Folder | null): CourseReport {
    const progress = this.store.get(`progress/${course?.folder ?? ""}`) ?? "";
    return this.machine.enterCourse(course?.folder ?? "", course?.files ?? {}, progress);
  }

  /** Switches to another course. If that is not valid, throws and keeps the current one. */
  adopt(course: Folder | null): void {
    this.keep(this.openCourse(course));
    if (course === null) this.store.delete("course");
    else this.store.set("course", JSON.stringify(course));
  }

  /** Loads the progress that another tab has stored. */
  follow(folder: string): void {
    if (folder === this.course.folder) this.course = this.enter(this.store.course);
  }

  private keep(course: CourseReport): void {
    this.course = course;
    this.store.set(`progress/${course.folder}`, course.progress);
  }

  /** Goes to the next lesson if it is not solved but the current one is. */
  private goToUnsolved(): void {
    const [now, next] = this.course.lessons.slice(this.course.present);
    if (now?.score && next && !next.score) this.keep(this.machine.ask("lesson", next.name));
  }

  /** Returns the lesson that a file is a program for. Other versions of the student's program
   * count, whether they come from a link or were edited. */
  find(file: string): LessonReport | undefined {
    const name = file.replace(/^link\//, "");
    const names = [name, name.replace(/-\d+\.asm$/, ".asm")];
    const found = names.map((it) => this.course.lessons.find((lesson) => lesson.file === it));
    return found.find(Boolean);
  }

  /** The program of the current lesson. */
  get present(): string {
    return this.course.lessons[this.course.present]?.file ?? "";
  }

  /** Shows the lesson of a file, if there is one. */
  show(file: string): void {
    this.lesson = this.find(file);
    byId("lesson").hidden = !this.lesson;
    byId("verdict").replaceChildren();
    byId("verdict").classList.remove("bad");
    if (!this.lesson) return;
    this.keep(this.machine.ask("lesson", this.lesson.name));
    const { lessons, title, folder, present } = this.course;
    const of = `Lesson ${present + 1} of ${lessons.length}`;
    setText(byId("lesson-title"), `${of}: ${this.lesson.title}`);
    setText(byId("lesson-course"), folder === "" ? "" : title);
    this.showProgress();
    byId("built-in").hidden = folder === "";
    // The task is always visible, and what leads to it scrolls.
    const { page } = this.lesson;
    const task = page.search(/^Your task\b/m);
    byId("lesson-page").replaceChildren(markdown(task < 0 ? page : page.slice(0, task)));
    byId("lesson-task").replaceChildren(markdown(task < 0 ? "" : page.slice(task)));
    for (const id of ["lesson-page", "lesson-task"]) byId(id).scrollTop = 0;
  }

  private showProgress(): void {
    const { lessons } = this.course;
    const solved = lessons.filter(({ score }) => score !== null).length;
    const label = `${solved} of ${lessons.length} solved`;
    const bar = make("progress", { max: lessons.length, value: solved, ariaLabel: label });
    byId("lesson-bar").replaceChildren(bar, label);
  }

  /** Checks a program with the tests of the lesson. Afterwards the machine shows the moment of the
   * failure, or runs the program. */
  check(program: string, problems: Problems, solved: () => void): void {
    const { lesson } = this;
    if (!lesson) return;
    const begin = () => {
      problems.expectNone();
      this.machine.ask("check", lesson.name, program);
    };
    this.jobs.begin(byId("verdict"), begin, ({ passed, leads, leds }) => {
      if (leds) {
        const [expected, actual] = leds;
        byId("verdict").append(
          letteredBoard("expected", expected, expected), letteredBoard("yours", actual, expected));
      }
      // Wait until the result is complete.
      queueMicrotask(() => byId("verdict").scrollIntoView({ block: "nearest" }));
      if (leads) this.jobs.goToFailure();
      if (!passed) return;
      // Light up a row of LEDs.
      byId("verdict").prepend(make("div", { className: "joy", ariaHidden: "true" },
        ...Array.from({ length: 8 }, (_, n) => {
          const led = make("i");
          led.style.animationDelay = `${n * 70}ms`;
          return led;
        })));
      this.events.run();
      this.keep(this.machine.ask("lesson", lesson.name));
      this.showProgress();
      solved();
      const next = this.course.lessons[this.course.present + 1];
      const onclick = () => {
        this.events.open(next!.file);
        // The LEDs show the program of this lesson, not of the last one.
        this.events.run();
      };
      byId("verdict").append(next
        ? make("button", { textContent: "Next lesson", onclick })
        : markdown(this.course.ending));
    });
  }

  private hint(): void {
    const [text, course] = this.machine.ask("hint");
    this.keep(course);
    byId("verdict").replaceChildren(make("pre", { tabIndex: 0 }, text));
    announce(text);
    byId("verdict").classList.remove("bad");
    byId("verdict").scrollIntoView({ block: "nearest" });
  }
}

/** Fetches a course from a folder on the same host. */
export async function fetchCourse(machine: Machine, folder: string): Promise<Folder> {
  const base = new URL(folder.replace(/\/*$/, "/"), location.href);
  const shown = folder.replace(/\/+$/, "");
  if (base.origin !== location.origin) throw new Refusal(`${shown} is on another host`);
  const text = async (path: string) => {
    const answer = await fetch(new URL(path, base)).catch(() => undefined);
    if (!answer?.ok) {
      const why = answer ? `${answer.status} ${answer.statusText}`.trim() : "no answer";
      throw new Refusal(`cannot read ${shown}/${path}: ${why}`);
    }
    return (await answer.text()).replace(/\r\n?/g, "\n");
  };
  const course = await text("course.ron");
  const files: Record<string, string> = { "course.ron": course };
  const paths = machine.ask("courseFiles", shown, course);
  await Promise.all(paths.map(async (path) => {
    try {
      files[path] = await text(path);
    } catch (refusal) {
      // This file is optional.
      if (path !== "ending.md") throw refusal;
    }
  }));
  return { folder: shown, files };
}
