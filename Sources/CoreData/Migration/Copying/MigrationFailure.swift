import Foundation

/// The errors that end a migration by a manager.
enum MigrationFailure {
    /// Returns the error for data, or a mapping, that does not fit the destination model.
    static func error(
        _ reason: String, entity: String? = nil, property: String? = nil, underlying: NSError? = nil
    ) -> NSError {
        error(NSMigrationError, reason, entity, property, underlying)
    }

    static func source(_ url: URL, _ underlying: any Error) -> NSError {
        store(NSMigrationManagerSourceStoreError, "The source store cannot be read", url, underlying)
    }

    static func destination(_ url: URL, _ underlying: any Error) -> NSError {
        store(
            NSMigrationManagerDestinationStoreError, "The destination store cannot be written", url,
            underlying)
    }

    /// Returns the error for the scratch database of a migration, which lies in SQLite's folder for temporary
    /// files.
    static func notes(_ underlying: any Error) -> NSError {
        let cause = translated(underlying)
        return error(
            "the associations of source and destination objects cannot be kept in a temporary file: "
                + (cause.localizedFailureReason ?? cause.localizedDescription),
            underlying: cause)
    }

    /// Returns the error for a value of the source that cannot be read.
    static func unreadable(_ key: String, of entity: NSEntityDescription, _ cause: NSError) -> NSError {
        error(
            cause.localizedFailureReason ?? cause.localizedDescription, entity: entity.name, property: key,
            underlying: withoutObjects(cause))
    }

    /// Returns the error for an error that a policy throws; errors of the migration itself are returned
    /// unchanged.
    static func policy(_ policy: NSEntityMigrationPolicy, _ mapping: NSEntityMapping, _ cause: any Error)
        -> NSError
    {
        let cause = translated(cause)
        if isOwn(cause) { return cause }
        let underlying = cause.domain == NSCocoaErrorDomain ? withoutObjects(cause) : cause
        return CoreDataError.error(
            NSEntityMigrationPolicyError,
            reason: "\(type(of: policy)), the policy of the mapping \(mapping.name ?? ""), failed: "
                + (cause.localizedFailureReason ?? cause.localizedDescription),
            ["entityMapping": mapping.name ?? "", NSUnderlyingErrorKey: underlying])
    }

    private static func isOwn(_ error: NSError) -> Bool {
        let codes = [
            NSMigrationError, NSMigrationConstraintViolationError, NSMigrationCancelledError,
            NSEntityMigrationPolicyError, NSMigrationManagerSourceStoreError,
            NSMigrationManagerDestinationStoreError,
        ]
        return error.domain == NSCocoaErrorDomain && codes.contains(error.code)
    }

    /// Returns the error for an error of saving migrated objects; values that are missing or not unique are
    /// named as by a migration in place.
    static func saving(_ cause: any Error, to url: URL) -> NSError {
        let cause = cause as NSError
        let first = (cause.userInfo[NSDetailedErrorsKey] as? [NSError])?.first ?? cause
        let underlying = withoutObjects(first)
        if let object = first.userInfo[NSValidationObjectErrorKey] as? NSManagedObject {
            let (entity, key) = (object.entity.name, first.userInfo[NSValidationKeyErrorKey] as? String)
            let reason =
                first.code == NSValidationMissingMandatoryPropertyError
                ? "missing attribute values on mandatory destination attribute" : first.localizedDescription
            return error(
                "\(entity ?? "").\(key ?? ""): \(reason)", entity: entity, property: key,
                underlying: underlying)
        }
        guard cause.code == NSManagedObjectConstraintMergeError else { return destination(url, underlying) }
        let conflict =
            (cause.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first
        let entity = conflict?.conflictingObjects.first?.entity.name
        let names = conflict?.constraint.joined(separator: ", ")
        return error(
            NSMigrationConstraintViolationError,
            "\(entity ?? ""): several objects share a value of \(names ?? "")",
            entity, names, underlying)
    }

    /// Returns the error without the objects of the migration, which are freed with it.
    private static func withoutObjects(_ error: NSError) -> NSError {
        let userInfo = error.userInfo.filter { key, _ in
            ![
                NSValidationObjectErrorKey, NSAffectedObjectsErrorKey, NSPersistentStoreSaveConflictsErrorKey,
                NSDetailedErrorsKey,
            ].contains(key)
        }
        return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }

    private static func error(
        _ code: Int, _ reason: String, _ entity: String?, _ property: String?, _ underlying: NSError?
    ) -> NSError {
        var userInfo: [String: Any] = ["reason": reason]
        userInfo["entity"] = entity
        userInfo["attribute"] = property
        userInfo[NSUnderlyingErrorKey] = underlying
        return CoreDataError.error(code, reason: reason, userInfo)
    }

    private static func store(_ code: Int, _ message: String, _ url: URL, _ cause: any Error) -> NSError {
        let cause = translated(cause)
        return CoreDataError.error(
            code, reason: "\(message): \(cause.localizedFailureReason ?? cause.localizedDescription)",
            [filePathKey: url.path, NSUnderlyingErrorKey: cause])
    }
}
