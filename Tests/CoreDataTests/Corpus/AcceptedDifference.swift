import Foundation
import Testing

/// A way in which a new store may differ from the file that Apple's framework wrote with the same model.
struct AcceptedDifference: Sendable, CustomTestStringConvertible {
    typealias Difference = StoreLayout.Difference

    let reason: String
    let covers: @Sendable (_ difference: Difference, _ theirs: StoreLayout) -> Bool

    var testDescription: String { reason }

    static let all: [AcceptedDifference] = olderReleases + histories + apps

    // MARK: What another release of Apple's framework does

    private static let olderReleases = [
        AcceptedDifference(reason: "Each release writes its own version number") { difference, _ in
            difference.fact == "metadata NSPersistenceFrameworkVersion"
        },
        AcceptedDifference(reason: "Before 973 there was no digest of the hashes") { difference, theirs in
            theirs.framework < 973 && difference.fact == "metadata NSStoreModelVersionHashesDigest"
                && difference.theirs == nil
        },
        AcceptedDifference(reason: "Before 1321 there was no checksum of the model") { difference, theirs in
            theirs.framework < 1321 && difference.fact == "metadata NSStoreModelVersionChecksumKey"
                && difference.theirs == nil
        },
        AcceptedDifference(reason: "Before 419 an empty identifier of a model was none") {
            difference, theirs in
            theirs.framework < 419 && difference.fact == "metadata NSStoreModelVersionIdentifiers"
                && difference.theirs == "[]" && difference.ours == "[\"\"]"
        },
        AcceptedDifference(reason: "Before 419 pages were half as long") { difference, theirs in
            theirs.framework < 419 && difference.fact == "pragma page_size"
                && difference.theirs == "integer(2048)"
        },
        AcceptedDifference(reason: "Before 419 columns of one type had no order") { difference, theirs in
            theirs.framework < 419 && difference.isAbout("table ")
                && StoreLayout.columns(difference.theirs) == StoreLayout.columns(difference.ours)
        },
        AcceptedDifference(reason: "Before 640 there was no model cache") { difference, theirs in
            theirs.framework < 640 && ["table Z_MODELCACHE", "model caches"].contains(difference.fact)
                && difference.theirs == nil
        },
        AcceptedDifference(reason: "Before 800 an indexed attribute had an index named after its column") {
            difference, theirs in
            theirs.framework < 800 && difference.isAbout("index Z")
        },
        AcceptedDifference(reason: "Release 973 also gave an index of its own to each indexed attribute") {
            difference, theirs in
            theirs.framework == 973 && difference.ours == nil && difference.isAbout("index Z_")
                && difference.theirs?.contains(", ") == false
        },
        AcceptedDifference(reason: "Release 973 left out the index of the entity numbers") {
            difference, theirs in
            theirs.framework == 973 && difference.theirs == nil && difference.fact.hasSuffix("_Z_ENT_INDEX")
        },
        AcceptedDifference(reason: "Release 973 wrote conditions of indexes with two blanks") {
            difference, theirs in
            theirs.framework == 973
                && difference.theirs?.replacingOccurrences(of: "WHERE  ", with: "WHERE ") == difference.ours
        },
    ]

    // MARK: What the file went through

    private static let histories = [
        AcceptedDifference(reason: "The file was switched to a rollback journal before it was published") {
            difference, _ in
            difference.fact == "pragma journal_mode" && difference.theirs == "text(\"delete\")"
        },
        AcceptedDifference(reason: "A migration renamed tables and appended columns") { difference, theirs in
            theirs.isMigrated && difference.isAbout("table ")
                && StoreLayout.columns(difference.theirs) == StoreLayout.columns(difference.ours)
        },
        AcceptedDifference(reason: "A migration left indexes under their old names") { difference, theirs in
            theirs.isMigrated && difference.isAbout("index ") && difference.ours == nil
        },
        AcceptedDifference(reason: "A migration left a renamed entity under its old name") {
            difference, theirs in
            theirs.isMigrated && difference.isAbout("entity ")
                && (difference.theirs == nil) != (difference.ours == nil)
        },
        AcceptedDifference(reason: "A migration left a note in the metadata") { difference, theirs in
            theirs.isMigrated && difference.fact == "metadata migrationManagerClass"
        },
    ]

    // MARK: What the app did

    private static let apps = [
        AcceptedDifference(reason: "Apps keep their own metadata") { difference, _ in
            difference.isAbout("metadata ") && !difference.isAbout("metadata NS") && difference.ours == nil
        },
        AcceptedDifference(reason: "Photos adds indexes to its join tables") { difference, _ in
            difference.ours == nil
                && (difference.isAbout("index RADAR_") || difference.isAbout("index Z_32ASSETS_Z_32ALBUMS_"))
        },
        AcceptedDifference(
            reason: "Photos once listed the parts of a location in the user info, where texts go"
        ) {
            difference, theirs in
            theirs.framework < 1100 && difference.ours == nil && difference.fact.contains(" Z_RT_")
        },
        AcceptedDifference(reason: "Photos uses triggers of a private user info key, NSTriggerKey") {
            difference, _ in
            difference.ours == nil && difference.isAbout("trigger ZT_")
        },
    ]
}
