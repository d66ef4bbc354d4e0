public import Foundation

/// Who changes models in a context.
public struct EditingState: Hashable, Identifiable, Codable, Sendable {
    /// The identity of the context.
    public let id: UUID
    /// The author of its changes; nil for none.
    public let author: String?

    /// Makes a state.
    public init(id: UUID = UUID(), author: String? = nil) {
        self.id = id
        self.author = author
    }
}

extension ModelContext {
    /// Who changes models in this context, as its stores are told.
    public var editingState: EditingState { EditingState(id: identity, author: author) }
}
