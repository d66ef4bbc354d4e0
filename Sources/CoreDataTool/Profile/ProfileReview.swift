package import CoreData
package import CoreDataJSON
import Foundation

/// What a profile shows: totals, and findings with advice, the costliest first.
package struct ProfileReview: Sendable {
    /// The events of one kind together.
    package struct Total: Sendable, Hashable {
        package let kind: ProfileEvent.Kind
        package let count: Int
        package let duration: Int64
    }

    /// The number of reads from one place that make a loop.
    private static let loop = 10
    /// The duration of a frame at 60 a second, in nanoseconds.
    private static let frame: Int64 = 16_666_667

    package let totals: [Total]
    package let findings: [ProfileFinding]
    private let profile: RecordedProfile

    /// - Parameter scans: Returns the tables that a statement reads as a whole, given a store's place and the text.
    package init(
        _ profile: RecordedProfile, _ names: CallNames, scans: (_ place: String, _ sql: String) -> [String]
    ) {
        self.profile = profile
        totals = ProfileEvent.Kind.allCases.compactMap { kind in
            let events = profile.events.filter { $0.kind == kind }
            guard !events.isEmpty else { return nil }
            return Total(kind: kind, count: events.count, duration: events.map(\.duration).reduce(0, +))
        }
        let sites = profile.stacks.compactMapValues { CallSite($0, names) }
        let rules = Rules(profile: profile, sites: sites)
        let findings =
            rules.loops() + rules.repeatedFetches() + rules.blockingSaves() + rules.fullScans(scans)
        self.findings = findings.sorted { ($0.duration, $0.message) > ($1.duration, $1.message) }
    }

    /// The rules by which a profile is judged.
    private struct Rules {
        let profile: RecordedProfile
        let sites: [Int: CallSite]

        private func finding(
            _ kind: ProfileFinding.Kind, _ events: [ProfileLine.Event], _ message: String, _ advice: String
        ) -> ProfileFinding {
            let duration = events.map(\.duration).reduce(0, +)
            let start = events.map(\.start).min() ?? 0
            let end = events.map { $0.start + $0.duration }.max() ?? start
            return ProfileFinding(
                kind: kind, message: "\(message), \(milliseconds(duration))", advice: advice,
                site: events.first?.stack.flatMap { sites[$0] }, count: events.count, duration: duration,
                span: start..<max(start, end))
        }

        /// Finds faults and relationships that are read one by one from one place.
        func loops() -> [ProfileFinding] {
            struct Place: Hashable {
                let kind: ProfileEvent.Kind
                let entity: String?
                let detail: String?
                let stack: Int?
            }
            let reads = profile.events.filter {
                ($0.kind == .fault && $0.count ?? 0 <= 1) || $0.kind == .relationship
            }
            let places = Dictionary(grouping: reads) {
                Place(kind: $0.kind, entity: $0.entity, detail: $0.detail, stack: $0.stack)
            }
            return places.filter { $0.value.count >= ProfileReview.loop }.map { place, events in
                let entity = place.entity ?? "?"
                if place.kind == .relationship {
                    let name = "\(entity).\(place.detail ?? "?")"
                    return finding(
                        .relationshipLoop, events, "\(events.count) times \(name) was read for one object",
                        "Name \"\(place.detail ?? "?")\" in relationshipKeyPathsForPrefetching of the fetch that "
                            + "found the objects: one statement then reads all of them.")
                }
                return finding(
                    .faultLoop, events, "\(events.count) objects of \(entity) were read one by one",
                    "Fetch them before the loop: with a predicate for all of them, with "
                        + "relationshipKeyPathsForPrefetching if they are reached by a relationship, or with "
                        + "includesPropertyValues if a fetch found them.")
            }
        }

        /// Finds requests that were made again from one place although nothing was saved to their stores in between.
        func repeatedFetches() -> [ProfileFinding] {
            struct Request: Hashable {
                let entity: String?
                let detail: String?
                let stack: Int?
                let count: Int?
                let stores: [Int]?
            }
            /// A request, with the number of changes that it could see.
            struct Question: Hashable {
                let request: Request
                let changes: Int
            }
            var changes = StoreChanges()
            var questions: [Question: [ProfileLine.Event]] = [:]
            for event in profile.events {
                switch event.kind {
                case .save where event.count ?? 0 > 0, .merge: changes.add(to: event.stores)
                case .fetch, .count:
                    let request = Request(
                        entity: event.entity, detail: event.detail, stack: event.stack, count: event.count,
                        stores: event.stores)
                    let question = Question(request: request, changes: changes.count(of: event.stores))
                    questions[question, default: []].append(event)
                default: break
                }
            }
            var repeated: [Request: [ProfileLine.Event]] = [:]
            for (question, events) in questions where events.count > 1 {
                repeated[question.request, default: []] += events.dropFirst()
            }
            return repeated.filter { $0.value.count >= ProfileReview.loop }.map { request, events in
                finding(
                    .repeatedFetch, events,
                    "\(events.count) fetches of \(request.entity ?? "?") repeated one before, with nothing saved "
                        + "in between",
                    "Keep the result, or an NSFetchedResultsController, which follows changes. The request: "
                        + (request.detail ?? ""))
            }
        }

        /// Finds saves that held the main thread for longer than a frame.
        func blockingSaves() -> [ProfileFinding] {
            let saves = profile.events.filter {
                $0.kind == .save && $0.thread.isMain && $0.duration > ProfileReview.frame
            }
            return Dictionary(grouping: saves, by: \.stack).map { _, events in
                let longest = events.map(\.duration).max() ?? 0
                return finding(
                    .blockingSave, events,
                    "\(counted(events.count, "save")) kept the main thread for up to \(milliseconds(longest)), longer than a "
                        + "frame",
                    "Save in a background context (performBackgroundTask, newBackgroundContext), or fewer objects "
                        + "at a time.")
            }
        }

        /// Returns the statements of fetches, counts, faults and relationships. A model's indexes change nothing for
        /// those by which stores are opened and saved.
        private func reads() -> [ProfileLine.Event] {
            /// When the last read of each thread ended.
            var ends: [ThreadMark: Int64] = [:]
            return profile.events.filter { event in
                switch event.kind {
                case .fetch, .count, .fault, .relationship:
                    ends[event.thread] = max(ends[event.thread] ?? 0, event.start + event.duration)
                    return false
                case .statement:
                    guard let sql = event.detail, let end = ends[event.thread] else { return false }
                    return sql.hasPrefix("SELECT") && event.start <= end
                case .save, .merge, .migration: return false
                }
            }
        }

        /// Finds reads of whole tables for the few rows that a condition wants.
        func fullScans(_ scans: (_ place: String, _ sql: String) -> [String]) -> [ProfileFinding] {
            struct Statement: Hashable {
                let store: String
                let sql: String
            }
            let statements = Dictionary(grouping: reads()) {
                Statement(store: $0.store ?? "", sql: $0.detail ?? "")
            }
            return statements.compactMap { statement, events in
                // A statement that returns all rows has to read them.
                guard statement.sql.contains(" WHERE ") else { return nil }
                let tables = scans(statement.store, statement.sql)
                guard !tables.isEmpty else { return nil }
                return finding(
                    .fullScan, events,
                    "\(counted(events.count, "statement")) read every row of \(tables.joined(separator: ", "))",
                    "Give the model a fetch index over the properties of the predicate, unless it looks for a "
                        + "part of a text (CONTAINS, ENDSWITH, LIKE, MATCHES), which reads every row all the same. "
                        + "The statement: \(statement.sql)")
            }
        }
    }

    /// How often stores have changed so far. Where a profile does not say which stores an event concerns, those are all.
    private struct StoreChanges {
        private var byStore: [Int: Int] = [:]
        private var ofAll = 0
        private var total = 0

        mutating func add(to stores: [Int]?) {
            total += 1
            guard let stores else { return ofAll += 1 }
            for store in stores { byStore[store, default: 0] += 1 }
        }

        /// Returns a number that is another one after each change of one of the stores.
        func count(of stores: [Int]?) -> Int {
            stores.map { $0.reduce(ofAll) { $0 + byStore[$1, default: 0] } } ?? total
        }
    }

    // MARK: Text and JSON

    package var text: String {
        var table = TextTable([("what", .left), ("events", .right), ("time", .right)])
        for total in totals {
            table.append([total.kind.rawValue, "\(total.count)", milliseconds(total.duration)])
        }
        var parts = [
            "\(profile.header.program), \(profile.events.count) events", table.lines.joined(separator: "\n"),
        ]
        if !profile.hits.isEmpty {
            let hits = profile.hits.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            parts.append(
                "found in the row cache: " + hits.map { "\($0.value) of \($0.key)" }.joined(separator: ", "))
        }
        parts += findings.map(\.text)
        if findings.isEmpty { parts.append("Nothing stands out.") }
        if profile.brokenLineCount > 0 {
            parts.append("The last line is not whole: the program was ended while it wrote.")
        }
        return parts.joined(separator: "\n\n")
    }

    package var json: JSONValue {
        .object([
            .init("program", .string(profile.header.program)),
            .init(
                "totals",
                .array(
                    totals.map {
                        .object([
                            .init("kind", .string($0.kind.rawValue)),
                            .init("count", .integer(Int64($0.count))),
                            .init("nanoseconds", .integer($0.duration)),
                        ])
                    })),
            .init(
                "cacheHits",
                .object(
                    profile.hits.sorted { $0.key < $1.key }.map { .init($0.key, .integer(Int64($0.value))) })),
            .init("findings", .array(findings.map(\.json))),
        ])
    }
}

/// Returns a time as people read it: `1.25 ms`.
private func milliseconds(_ nanoseconds: Int64) -> String {
    String(format: "%.2f ms", Double(nanoseconds) / 1e6)
}
