public import Foundation

/// An error of a container, a context or a request.
///
/// A `catch` compares it with one of the constants: `catch SwiftDataError.loadIssueModelContainer`. Errors of
/// the same kind are equal.
public struct SwiftDataError: Error, Sendable, LocalizedError, CustomStringConvertible, Hashable {
    enum Code: String, Sendable {
        case unsupportedKeyPath, unsupportedPredicate, unsupportedSortDescriptor
        case backwardMigration, unknownSchema
        case configurationFileNameContainsInvalidCharacters, configurationFileNameTooLong
        case configurationSchemaNotFoundInContainerSchema, duplicateConfiguration, loadIssueModelContainer
        case historyTokenExpired, invalidTransactionFetchRequest
        case includePendingChangesWithBatchSize, sortingPendingChangesWithIdentifiers
        case missingModelContext, modelValidationFailure
    }

    let code: Code
    /// What is wrong, with the names of what it is wrong with.
    private let explanation: String?
    /// The error of Core Data beneath; nil for none.
    public let underlyingError: NSError?

    init(_ code: Code, _ explanation: String? = nil, underlying: NSError? = nil) {
        self.code = code
        self.explanation = explanation
        underlyingError = underlying
    }

    /// A key path leads to nothing that is stored.
    public static let unsupportedKeyPath = SwiftDataError(.unsupportedKeyPath)
    /// A predicate has an expression that no store can be asked.
    public static let unsupportedPredicate = SwiftDataError(.unsupportedPredicate)
    /// A sort descriptor compares what no store can sort by.
    public static let unsupportedSortDescriptor = SwiftDataError(.unsupportedSortDescriptor)

    /// A container could not be made of its schema and configurations.
    public static let loadIssueModelContainer = SwiftDataError(.loadIssueModelContainer)
    /// The name of a configuration has a character that no file's name can have.
    public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
        .configurationFileNameContainsInvalidCharacters)
    /// The name of a configuration is longer than a file's name can be.
    public static let configurationFileNameTooLong = SwiftDataError(.configurationFileNameTooLong)
    /// A configuration has a model that the schema of its container lacks.
    public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
        .configurationSchemaNotFoundInContainerSchema)
    /// Several configurations of a container have the same name.
    public static let duplicateConfiguration = SwiftDataError(.duplicateConfiguration)

    /// A store is of a later version than the models of the container.
    public static let backwardMigration = SwiftDataError(.backwardMigration)
    /// A store is of a version that its migration plan does not know, or a stage names such a version.
    public static let unknownSchema = SwiftDataError(.unknownSchema)
    /// A part of the history after a token was deleted.
    public static let historyTokenExpired = SwiftDataError(.historyTokenExpired)
    /// A descriptor asks for what no history has.
    public static let invalidTransactionFetchRequest = SwiftDataError(.invalidTransactionFetchRequest)

    // What is no error here; sources may name it all the same.

    /// Unsaved changes count in fetches by batches, too: no fetch throws it.
    public static let includePendingChangesWithBatchSize = SwiftDataError(.includePendingChangesWithBatchSize)
    /// Unsaved changes count in sorted fetches of identifiers, too: no fetch throws it.
    public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
        .sortingPendingChangesWithIdentifiers)
    /// A model in no context is read and written like any other: nothing throws it.
    public static let missingModelContext = SwiftDataError(.missingModelContext)
    /// A save that finds invalid values throws the error of Core Data that names them.
    public static let modelValidationFailure = SwiftDataError(.modelValidationFailure)

    /// Returns whether both are of the same kind.
    public static func == (left: SwiftDataError, right: SwiftDataError) -> Bool { left.code == right.code }

    /// Feeds the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Returns whether an error is of the kind of a constant.
    public static func ~= (pattern: SwiftDataError, error: any Error) -> Bool {
        (error as? SwiftDataError)?.code == pattern.code
    }

    /// The kind of the error, and what is wrong.
    public var description: String {
        [code.rawValue, explanation, underlyingError.map { "\($0)" }].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// The kind of the error, and what is wrong.
    public var errorDescription: String? { description }
}
