"""Draws the study of issue as SVG and PNG: measured issue rates against those of the model of the register file."""

from common.tools.plots.figure import GREY, MARKERS, STEP_COLOURS, head, panels, save, stamp

GROUPS = (  # what a loop's name holds, the first that fits: what the figure calls them
    ("roots", "with dependent roots"),
    ("loads", "with loads from shared memory"),
    ("x*y+sum and", "additions, and multiply-adds of three registers"),
    ("x*y+sum", "multiply-adds of three registers"),
    ("step 03", "step 03's inner loop"),
    ("a product", "the same, a product for each root"),
    ("additions", "the same, additions for the pull's multiply-adds"),
    ("K = ", "other changes of it"),
    ("", "one or two registers, or products"),
)


def group_of(run):
    return next(name for words, name in GROUPS if words in run["what"])


def draw(sweep, document, stem):
    figure, ((axes,),) = panels(1, (7, 5), "instructions a cycle by the model", "instructions a cycle, measured")
    axes.plot((0.5, 1), (0.5, 1), color=GREY, linewidth=0.8)
    for (_, name), marker, colour in zip(GROUPS, MARKERS + "x", [*STEP_COLOURS, GREY]):
        runs = [run for run in document["runs"] if group_of(run) == name]
        axes.plot([run["predicted_issue_rate"] for run in runs], [run["issue_rate"] for run in runs], linestyle="",
                  marker=marker, markersize=4, color=colour, label=name)
    axes.legend(fontsize=8)
    head(figure, sweep.title, stamp(document, "four warps on each scheduler"),
         "Each point is a loop; on the line, the model is right.")
    return save(figure, stem)
