"""Imports: a first load goes straight to a release; anything later becomes change requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from knowledge.canon.actions import build_release, publish_release, retry_release, start_release
from knowledge.canon.core.article import Article
from knowledge.canon.core.drafts import Place, Refusal
from knowledge.canon.core.edits import Edit
from knowledge.canon.models import DomainIndex, GateState, Release, ReleaseState
from knowledge.canon.transfer.article_stream import ImportReader, ReadArticle
from knowledge.canon.transfer.import_diff import Compared, compare_articles, count_documents
from knowledge.canon.transfer.report import CREATED, UNCHANGED, UPDATED, ImportReport
from knowledge.errors import ImportRefused, NotFirstLoad, OtherFirstLoad
from reviews.actions.constraints import atomic_action
from reviews.audit.actions import describe_release, write_audit
from reviews.change_requests.actions.bulk import ARTICLES_A_REQUEST, create_change_requests_from_articles
from reviews.core.actor import SYSTEM, Actor
from reviews.releases.selectors.live import find_latest_release

UNFINISHED = (ReleaseState.BUILDING, ReleaseState.STAGED, ReleaseState.FAILED)
Progress = Callable[[str, int, int | None], None]
"""Gets the name of the step, how much is done, and of how much if that is known."""
MakeReader = Callable[[], ImportReader]


def silence(step: str, done: int, total: int | None) -> None:
    """No progress."""


def preview_import(
    *,
    index: DomainIndex | None,
    make_reader: MakeReader,
    report: ImportReport,
    only_new: bool = False,
    on_progress: Progress = silence,
) -> None:
    """Fill the report with what an import would do. Writes nothing. No index yet means an empty domain."""
    release = find_latest_release(index.pk) if index is not None else None
    for _ in _compare(make_reader(), release, report, only_new=only_new, on_progress=on_progress):
        pass


def load_first_release(
    *,
    index: DomainIndex,
    make_reader: MakeReader,
    report: ImportReport,
    title: str,
    actor: Actor = SYSTEM,
    keep_going: bool = False,
    on_progress: Progress = silence,
) -> Release:
    """The domain's first release, live, with everything that could be read.

    Killed at any point it can be run again with the same files: before the articles are written down nothing is left,
    after that the build goes on where it stopped, and until the swap nothing is visible. Once the same articles are
    live it changes nothing.

    The report is filled as the files are read. Raises ImportRefused when something can't be read and `keep_going` is
    not set, NotFirstLoad when other articles are live, OtherFirstLoad when another first load is unfinished.
    """
    live = find_latest_release(index.pk)
    unfinished = find_unfinished_first_load(index.pk)
    if live is not None or unfinished is not None:
        known = live or unfinished
        assert known is not None  # noqa: S101  one of them is there
        _check_same(known, make_reader(), report, keep_going=keep_going, on_progress=on_progress)
        return known if live is not None else finish_first_load(known, actor=actor, on_progress=on_progress)
    articles = _take_articles(make_reader(), report, keep_going=keep_going, on_progress=on_progress)
    release = start_release(
        domain_index_id=index.pk, edits=(Edit(None, article) for article in articles), title=title, first_load=True
    )
    return finish_first_load(release, actor=actor, on_progress=on_progress)


def finish_first_load(release: Release, *, actor: Actor = SYSTEM, on_progress: Progress = silence) -> Release:
    """The first release, built as far as it was not yet, and live; written to the audit log."""
    if release.state == ReleaseState.FAILED:
        release = retry_release(release.pk)
    release = build_release(release.pk, on_progress=lambda done, total: on_progress("indexed", done, total))
    with atomic_action():
        release = publish_release(release.pk, by=actor.label)
        entry = describe_release(
            release,
            "first_loaded",
            after=str(release.number),
            documents=release.document_count,
            passages=release.passage_count,
        )
        write_audit([entry], actor=actor, tenant_id=release.tenant_id)
    return release


def find_unfinished_first_load(domain_index_id: int) -> Release | None:
    """The first load of a domain that was started and is not live yet; None if there is none."""
    return Release.objects.filter(
        domain_index_id=domain_index_id,
        base_number__isnull=True,
        gate_state=GateState.EXEMPT,
        state__in=UNFINISHED,
    ).first()


def propose_import(
    *,
    index: DomainIndex,
    make_reader: MakeReader,
    report: ImportReport,
    title: str,
    actor: Actor,
    description: str = "",
    keep_going: bool = False,
    only_new: bool = False,
    articles_a_request: int = ARTICLES_A_REQUEST,
    on_progress: Progress = silence,
) -> list[int]:
    """Ids of drafts of change requests that bring the live canon to what the files say; other articles stay.

    The files are read twice: once to fill the report and see that nothing is refused, once to write. Raises
    ImportRefused when something is refused and `keep_going` is not set.
    """
    preview_import(index=index, make_reader=make_reader, report=report, only_new=only_new, on_progress=on_progress)
    _refuse_unless(keep_going, report)
    release = find_latest_release(index.pk)
    compared = _compare(make_reader(), release, ImportReport(), only_new=only_new, on_progress=silence)
    counts = create_change_requests_from_articles(
        actor=actor,
        domain_index_id=index.pk,
        articles=(each.read.article for each in compared if each.outcome != UNCHANGED),
        title=title,
        description=description,
        batch_size=articles_a_request,
    )
    return counts.change_request_ids


def _take_articles(
    reader: ImportReader, report: ImportReport, *, keep_going: bool, on_progress: Progress
) -> Iterator[Article]:
    """The articles, one by one. At the end raises ImportRefused if there were refusals, which undoes the start."""
    for found in _watch(reader, report, on_progress):
        if isinstance(found, Refusal):
            report.refuse(found)
        else:
            report.count(found.place.file, CREATED, found.article.language)
            yield found.article
    _refuse_unless(keep_going, report)


def _check_same(
    release: Release, reader: ImportReader, report: ImportReport, *, keep_going: bool, on_progress: Progress
) -> None:
    """Raises NotFirstLoad, OtherFirstLoad or ImportRefused unless the files say exactly what the release has."""
    differing: list[str] = []
    for compared in _compare(reader, release, report, only_new=False, on_progress=on_progress):
        if compared.outcome != UNCHANGED and len(differing) < 5:
            differing.append(str(compared.read.place))
    _refuse_unless(keep_going, report)
    missing = count_documents(release) - (report.total(UNCHANGED) + report.total(UPDATED))
    if not differing and not missing:
        return
    reason = f"first difference at {differing[0]}" if differing else f"{missing} of its articles are not in the files"
    if release.state == ReleaseState.PUBLISHED:
        raise NotFirstLoad(
            f"Release {release.number} is live and the files say something else ({reason}). Leave --initial out: "
            "changes go through review.",
            release=release.number,
        )
    raise OtherFirstLoad(
        f"A first load of other files is unfinished ({reason}). Run it again with the same files and options, or "
        "discard its release.",
        release=release.number,
        state=str(release.state),
    )


def _compare(
    reader: ImportReader, release: Release | None, report: ImportReport, *, only_new: bool, on_progress: Progress
) -> Iterator[Compared]:
    """What is read, beside what is there; counted in the report, refusals left out."""
    for each in compare_articles(_watch(reader, report, on_progress), release):
        if isinstance(each, Refusal):
            report.refuse(each)
            continue
        if only_new and each.live is not None and each.outcome == UPDATED:
            report.refuse(_refuse_live(each))
            continue
        report.count(each.read.place.file, each.outcome, each.read.article.language)
        if each.outcome == UPDATED and each.live is not None and each.live.title != each.read.article.title:
            report.notes.append(
                f"{each.read.place}: {each.read.article.title!r} takes the place of the live article "
                f"{each.live.title!r} under the slug {each.read.article.slug!r}"
            )
        yield each


def _watch(reader: ImportReader, report: ImportReport, on_progress: Progress) -> Iterable[ReadArticle | Refusal]:
    for file in reader.files:
        report.add_file(file.name)
    for number, found in enumerate(reader.read(), start=1):
        yield found
        on_progress("read", number, None)


def _refuse_live(compared: Compared) -> Refusal:
    live = compared.live
    assert live is not None  # noqa: S101  the caller has looked
    slug = compared.read.article.slug
    place = f"the live article {live.title!r}" + (f" (from {live.source})" if live.source else "")
    return Refusal(
        compared.read.place, "slug_live", f"the slug {slug!r} is already used by {place}", other=Place(place)
    )


def _refuse_unless(keep_going: bool, report: ImportReport) -> None:
    refused = report.total("refused")
    if refused and not keep_going:
        raise ImportRefused(f"{refused} refused, nothing imported: {report.refusals[0]}")
    if not report.articles:
        raise ImportRefused("There is nothing to import in these files.")
