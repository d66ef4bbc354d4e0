#if SyncServer
import CoreDataSyncCore
import CoreDataSyncServer
import CoreMetrics

/// What the server counts.
struct ServerMetrics: Sendable {
    private let factory: any MetricsFactory

    init(_ factory: any MetricsFactory) {
        self.factory = factory
    }

    private func count(_ label: String, _ dimensions: [(String, String)] = [], by amount: Int = 1) {
        guard amount > 0 else { return }
        Counter(label: label, dimensions: dimensions, factory: factory).increment(by: amount)
    }

    /// - Parameter route: The route's own path, with the names of its parameters, so that there are only a
    ///   few.
    func noteRequest(_ method: String, _ route: String, status: Int, _ duration: Duration) {
        // Methods are texts of clients.
        let known = ["GET", "PUT", "POST", "HEAD"].contains(method) ? method : "other"
        count(
            "syncd_requests_total", [("method", known), ("route", route), ("status", String(status))])
        record(duration, "syncd_request", [("route", route)])
    }

    private func record(_ duration: Duration, _ label: String, _ dimensions: [(String, String)] = []) {
        let (seconds, attoseconds) = duration.components
        Timer(label: label, dimensions: dimensions, factory: factory)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    @Sendable func note(_ figures: PushFigures) {
        record(figures.waited, "syncd_push_wait")
        record(figures.lasted, "syncd_push_transaction")
        for (reason, number) in figures.losses {
            count("syncd_losses_total", [("reason", reason.rawValue)], by: number)
        }
    }

    func noteBytes(sent: Int) { count("syncd_sent_bytes_total", by: sent) }
    func noteBytes(received: Int) { count("syncd_received_bytes_total", by: received) }

    func note(_ response: SyncResponse) {
        switch response.answer {
        case .push(let answer):
            count("syncd_pushes_total")
            for (outcome, amount) in answer.counts {
                count("syncd_changes_total", [("outcome", outcome)], by: amount)
            }
        case .pull(let page): count("syncd_pulled_items_total", by: page.updates.count)
        case .snapshot(let page): count("syncd_snapshot_items_total", by: page.updates.count)
        case .reconcile(let answer):
            count("syncd_reconciles_total")
            count("syncd_reconciled_items_total", by: answer.updates.count)
        case .task: count("syncd_tasks_total")
        case .refused(let refusal): count("syncd_refusals_total", [("reason", refusal.kind)])
        }
    }

    /// Notes news that a listener has got.
    func note(_ news: PokeHub.News) {
        if let delay = news.delay { record(delay, "syncd_news_delay") }
    }

    func set(_ figures: ZoneFigures) {
        let gauges = [
            "syncd_zones": figures.zones, "syncd_full_zones": figures.fullZones, "syncd_items": figures.items,
            "syncd_stored_bytes": figures.bytes, "syncd_bin_items": figures.deleted,
        ]
        for (label, number) in gauges { Meter(label: label, factory: factory).set(number) }
    }

    func noteHangup() { count("syncd_hangups_total") }

    func setLive(_ number: Int) { Meter(label: "syncd_live_connections", factory: factory).set(number) }
}

extension PushAnswer {
    /// How many changes had each outcome.
    var counts: [String: Int] {
        outcomes.reduce(into: [:]) { counts, outcome in
            let name =
                switch outcome {
                case .applied: "applied"
                case .superseded: "superseded"
                case .alias: "alias"
                case .rejected: "rejected"
                case .gone: "gone"
                }
            counts[name, default: 0] += 1
        }
    }
}
#endif
