import CoreDataModelFormat
import CoreDataModelSource
import Foundation
import Testing

/// A real mapping model of Xcode and its content as read by another program.
struct MappingSample: Sendable, CustomTestStringConvertible {
    /// The path, relative to the corpus.
    let path: String
    /// Name, number of attributes, number of relationships, class of the policy.
    let mappings: [String]
    /// The properties with an expression written by the author.
    let expressions: [String]

    var url: URL { Corpus.url(path) }
    var testDescription: String { path }

    private init(_ path: String, mappings: [String], expressions: [String] = []) {
        self.path = path + ".xcmappingmodel"
        self.mappings = mappings
        self.expressions = expressions
    }

    /// The places of its models, if the corpus has both and they can be read.
    var models: [String]? {
        let name = (path as NSString).lastPathComponent
        let zips = "\(Self.history)/zips"
        return switch name {
        case "1.1 to 1.2.xcmappingmodel": nil
        case _ where path.hasPrefix(Self.evolution):
            ["\(Self.evolution)/Advanced.EvolutionDemo.V1.xcdatamodeld"]
        case _ where path.hasPrefix(Self.games): ["\(Self.games)/OEDatabase.xcdatamodeld"]
        case _ where path.contains("BookMigration"):
            ["\(zips)/BookMigration-master/BookMigration/Model.xcdatamodeld"]
        case _ where path.contains("CoreDataMigrationRevised"): nil
        default: ["\(Self.plus)/Tests/Resources/SampleModel/SampleModel.xcdatamodeld"]
        }
    }

    private static let plus = "alemar11__CoreDataPlus"
    private static let history = "\(plus)/_history"
    private static let evolution = "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo"
    private static let games = "OpenEmu__OpenEmu/OpenEmu"
    private static let books = "Learning materials/example/BookMigration-master/BookMigration"
    private static let posts =
        "Learning materials/example/CoreDataMigrationRevised-Example-master/CoreDataMigration-Example"
        + "/CoreData/Migration/Mappings"
    private static let owners =
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
        + "\"PersonToPerson\", $source.owner)"
    private static let cars =
        "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
        + "\"cars\", $source.cars)"

    static let all: [MappingSample] = [
        MappingSample(
            "\(evolution)/Advanced.EvolutionDemo.V1.FromV2",
            mappings: [
                "CreatureToCreature 2 0"
            ],
            expressions: [
                "CreatureToCreature.numberOfFlagella = $source.numberOfFlippers"
            ]),
        MappingSample(
            "\(evolution)/Advanced.EvolutionDemo.V2.FromV1",
            mappings: [
                "CreatureToCreature 5 0 Advanced_EvolutionDemo_V2_FromV1MigrationPolicy"
            ],
            expressions: [
                "CreatureToCreature.hasHead = 1",
                "CreatureToCreature.numberOfFlippers = $source.numberOfFlagella",
            ]),
        MappingSample(
            "\(games)/0.2 to 0.3",
            mappings: [
                "ImageThumbnailToImageThumbnail 3 1",
                "CreditToCredit 1 2",
                "ROMToROM 6 2",
                "ImageToImage 1 2",
                "ContributorToContributor 2 1",
                "GameToGame 8 6",
                "SmartCollectionToSmartCollection 1 1",
                "GenreToGenre 1 1",
                "SystemToSystem 7 1",
                "SaveStateToSaveState 6 1",
                "CollectionFolderToCollectionFolder 1 2",
                "CollectionToCollection 1 2",
            ]),
        MappingSample(
            "\(games)/1.0 Beta 4 to 1.0",
            mappings: [
                "SaveStateToSaveState 6 1",
                "CollectionFolderToCollectionFolder 1 2",
                "GameToGame 7 6",
                "ContributorToContributor 2 1",
                "CreditToCredit 1 2",
                "GenreToGenre 1 1",
                "SmartCollectionToSmartCollection 1 1",
                "CollectionToCollection 1 2",
                "ROMToROM 9 2 OEDBRomMigrationPolicy",
                "SystemToSystem 4 1",
                "ImageToImage 1 2",
                "ImageThumbnailToImageThumbnail 3 1",
            ],
            expressions: [
                "GameToGame.lastInfoSync = $source.lastArchiveSync"
            ]),
        MappingSample(
            "\(games)/1.0 Beta to 0.2",
            mappings: [
                "GenreToGenre 1 1",
                "ContributorToContributor 2 1",
                "ROMToROM 6 2 OEDBRomMigrationPolicy",
                "CollectionFolderToCollectionFolder 1 2",
                "SaveStateToSaveState 5 1 OEDBSaveStateMigrationPolicy",
                "SmartCollectionToSmartCollection 1 1",
                "ImageThumbnailToImageThumbnail 3 1",
                "ImageToImage 1 2",
                "CreditToCredit 1 2",
                "GameToGame 8 6",
                "CollectionToCollection 1 2",
                "SystemToSystem 7 1",
            ],
            expressions: [
                "ImageThumbnailToImageThumbnail.relativePath = $source.path"
            ]),
        MappingSample(
            "\(games)/1.1 to 1.2",
            mappings: [
                "ContributorToContributor 2 1",
                "GenreToGenre 1 1",
                "CollectionFolderToCollectionFolder 1 2",
                "CollectionToCollection 1 2",
                "ROMToROM 14 2",
                "SmartCollectionToSmartCollection 1 1",
                "ImageToImage 5 1 OEDBImageMigrationPolicy",
                "CreditToCredit 1 2",
                "SaveStateToSaveState 6 1",
                "SystemToSystem 4 1",
                "GameToGame 7 6",
            ],
            expressions: [
                "ImageToImage.source = $source.sourceURL"
            ]),
        MappingSample(
            "\(plus)/Tests/Resources/SampleModel/MappingModels/V2toV3",
            mappings: [
                "CarToCar 3 3 REPLACE_AT_RUNTIME.V2to3MakerPolicy",
                "LuxuryCarToLuxuryCar 4 3 REPLACE_AT_RUNTIME.V2to3MakerPolicy",
                "PersonToPerson 3 2",
                "SportCarToSportCar 3 3 REPLACE_AT_RUNTIME.V2to3MakerPolicy",
                "Maker 1 1",
            ],
            expressions: [
                "CarToCar.previousOwners = \(owners)",
                "LuxuryCarToLuxuryCar.previousOwners = \(owners)",
                "PersonToPerson.previousCars = \(cars)",
                "SportCarToSportCar.previousOwners = \(owners)",
            ]),
        MappingSample(
            "\(history)/146f1d79/Tests/Resources/SampleModel/MappingModels/V2toV3",
            mappings: [
                "CarToCar 3 3 REPLACE_AT_RUNTIME.V2to3MakerPolicyPolicy",
                "LuxuryCarToLuxuryCar 4 3 REPLACE_AT_RUNTIME.V2to3MakerPolicyPolicy",
                "PersonToPerson 3 2",
                "SportCarToSportCar 3 3 REPLACE_AT_RUNTIME.V2to3MakerPolicyPolicy",
                "Maker 1 1",
            ],
            expressions: [
                "CarToCar.previousOwners = \(owners)",
                "LuxuryCarToLuxuryCar.previousOwners = \(owners)",
                "PersonToPerson.previousCars = \(cars)",
                "SportCarToSportCar.previousOwners = \(owners)",
            ]),
        MappingSample(
            "\(history)/1df14640/\(books)/Model1_to_Model2",
            mappings: [
                "UserToUser 1 1",
                "Author 1 1",
                "BookToBook 2 2 MHWBookToBookPolicy",
            ]),
        MappingSample(
            "\(history)/3f52f634/\(posts)/Migration2to3ModelMapping",
            mappings: [
                "Section 3 1",
                "PostToPost 3 1 CoreDataMigration_Example.Post2ToPost3MigrationPolicy",
            ]),
        MappingSample(
            "\(history)/49707b22/Tests/MappingModels/V2ToV3",
            mappings: [
                "PersonToPerson 3 2",
                "LuxuryCarToLuxuryCar 4 3",
                "CarToCar 3 3",
                "SportCarToSportCar 3 3",
                "Maker 1 1",
            ],
            expressions: [
                "PersonToPerson.previousCars = \(cars)",
                "CarToCar.previousOwners = \(owners)",
            ]),
        MappingSample(
            "\(history)/646f160d/\(books)/Model2_to_Model3",
            mappings: [
                "File 1 2",
                "BookToBook 1 2 MHWBookToBookPolicy",
                "AuthorToAuthor 1 1",
            ]),
        MappingSample(
            "\(history)/6fffb027/Tests/Resources/SampleModel/MappingModels/V2toV3",
            mappings: [
                "CarToCar 3 3 CoreDataPlus_Tests_macOS.V2to3MakerPolicyPolicy",
                "LuxuryCarToLuxuryCar 4 3 CoreDataPlus_Tests_macOS.V2to3MakerPolicyPolicy",
                "PersonToPerson 3 2",
                "SportCarToSportCar 3 3 CoreDataPlus_Tests_macOS.V2to3MakerPolicyPolicy",
                "Maker 1 1",
            ],
            expressions: [
                "CarToCar.previousOwners = \(owners)",
                "LuxuryCarToLuxuryCar.previousOwners = \(owners)",
                "PersonToPerson.previousCars = \(cars)",
                "SportCarToSportCar.previousOwners = \(owners)",
            ]),
        MappingSample(
            "\(history)/d06414f4/Tests/MappingModels/SampleModel2 - SampleModel3 v2",
            mappings: [
                "Maker 0 0"
            ]),
    ]
}
