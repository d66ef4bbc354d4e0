import CoreDataStore
import Foundation
import Testing

@testable import CoreData

@Suite("Errors")
struct ErrorTests {
    @Test(
        "A store's error has Apple's code, path, result code and message",
        arguments: [
            (StoreError.Kind.conflicts([]), NSManagedObjectMergeError),
            (.constraints([]), NSManagedObjectConstraintMergeError), (.unsupported, NSCoreDataError),
            (.fileMissing, 260), (.notADatabase, 259), (.corrupt, 259), (.cannotOpen, 256), (.readOnly, 513),
            (.busy, NSPersistentStoreTimeoutError), (.diskFull, 640), (.database, NSSQLiteError),
            (.incompatibleModel(["E"]), NSPersistentStoreIncompatibleVersionHashError),
        ])
    func storeErrors(kind: StoreError.Kind, code: Int) {
        let error = StoreError(kind, "went wrong", path: "/tmp/x.sqlite", code: 14 | 2 << 8).nsError()
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == code)
        #expect(error.userInfo["NSFilePath"] as? String == "/tmp/x.sqlite")
        #expect((error.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue == 14)
        #expect(error.localizedFailureReason == "went wrong")
        #expect(error.userInfo["reason"] as? String == "went wrong")
        #expect(!error.localizedDescription.isEmpty)
    }

    @Test("A conflict error lists its conflicts under the userInfo key of Core Data")
    func conflictList() {
        let conflict = NSObject()
        let error = StoreError(.conflicts([]), "changed").nsError(conflicts: [conflict])
        #expect((error.userInfo["conflictList"] as? [NSObject])?.first === conflict)
    }

    @Test("An error thrown as NSError is caught by its Core Data code")
    func catching() {
        do {
            throw CoreDataError.error(
                NSValidationMissingMandatoryPropertyError, [NSValidationKeyErrorKey: "name"])
        } catch CocoaError.validationMissingMandatoryProperty {
        } catch {
            Issue.record("not caught by code: \(error)")
        }
        let error = CoreDataError.error(NSValidationNumberTooLargeError, [NSValidationKeyErrorKey: "size"])
        #expect((error as? CocoaError)?.validationKey == "size")
        #expect(CocoaError.Code.validationNumberTooLarge.rawValue == 1610)
        #expect(CocoaError.Code.persistentStoreIncompatibleVersionHash.rawValue == 134_100)
    }

    @Test("Several failures become one error that lists them")
    func combining() throws {
        let single = CoreDataError.error(NSValidationNumberTooLargeError)
        #expect(CoreDataError.combined([]) == nil)
        #expect(CoreDataError.combined([single]) === single)
        let both = try #require(CoreDataError.combined([single, single]))
        #expect(both.code == NSValidationMultipleErrorsError)
        #expect((both.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
    }

    @Test("An unsupported feature is an error that names it")
    func unsupported() {
        let error = CoreDataError.unsupported("A batch insertion")
        #expect(error.code == NSCoreDataError)
        #expect(error.localizedFailureReason == "A batch insertion is not supported yet.")
    }
}
