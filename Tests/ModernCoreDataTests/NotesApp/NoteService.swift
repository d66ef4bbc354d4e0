import ModernCoreData

/// The service of the tests' app, in place of one on the network: it can be unreachable, and slow.
actor NoteService {
    struct Record: Sendable, Equatable {
        let id: RemoteRecordID
        let title: String
    }

    struct OutOfReach: Error {}

    private(set) var records: [Record] = []
    /// The titles of each request to upload, failed ones too.
    private(set) var uploads: [[String]] = []
    private(set) var removals: [[RemoteRecordID]] = []
    /// How many of the next requests fail.
    private var failures = 0
    private var isPaused = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var lastID = 0

    /// Saves new records, and returns their new identifiers.
    func upload(_ titles: [String]) async throws -> [RemoteRecordID] {
        uploads.append(titles)
        try await answer()
        return titles.map { add($0).id }
    }

    /// Deletes records; unknown ones are ignored.
    func remove(_ ids: [RemoteRecordID]) async throws {
        removals.append(ids)
        try await answer()
        records.removeAll { ids.contains($0.id) }
    }

    /// Adds a record as another client would upload it.
    @discardableResult
    func add(_ title: String) -> Record {
        lastID += 1
        let record = Record(id: "note-\(lastID)", title: title)
        records.append(record)
        return record
    }

    // MARK: Trouble

    func fail(times: Int) { failures = times }

    /// Delays the answers to requests until it resumes.
    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    private func answer() async throws {
        if isPaused { await withCheckedContinuation { waiting.append($0) } }
        guard failures == 0 else {
            failures -= 1
            throw OutOfReach()
        }
    }
}
