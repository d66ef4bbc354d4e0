/// How concurrent writes of one register are merged.
package enum MergeRule: String, Hashable, Sendable, CaseIterable {
    /// The later stamp wins.
    case latest
    /// The later stamp wins at once, and the device that lost is asked for an edit on top of it.
    case ask
    /// What each replica has added counts.
    case counter
    /// The greater value wins.
    case max
    /// The smaller value wins.
    case min
    /// The earlier stamp wins.
    case first

    /// Whether a write that loses takes a value away. Under the other rules it is what the model asks for.
    package var losesEdits: Bool { self == .latest || self == .ask }
}
