/// A `contents` file that uses every construct of the format, spelled as the editor spells it.
let everyConstruct = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22758" \
    systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
    userDefinedModelVersionIdentifier="7">
        <entity name="Album" representedClassName=".Album" isAbstract="YES" elementID="Record" \
    versionHashModifier="2" syncable="YES" codeGenerationType="class">
            <attribute name="anything" optional="YES" transient="YES" syncable="YES"/>
            <attribute name="cover" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="isLive" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
            <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
            <attribute name="price" optional="YES" attributeType="Decimal" minValueString="0.5" \
    maxValueString="99.5" defaultValueString="9.5"/>
            <attribute name="released" optional="YES" attributeType="Date" minDateTimeInterval="0" \
    minValueString="2001-01-01 00:00:00 +0000" defaultDateTimeInterval="388411200" \
    defaultValueString="2013-04-23 12:00:00 +0000" usesScalarValueType="NO"/>
            <attribute name="tags" optional="YES" attributeType="Transformable" \
    valueTransformerName="NSSecureUnarchiveFromData" customClassName="[String]"/>
            <attribute name="title" attributeType="String" minValueString="3" maxValueString="50" \
    defaultValueString="A &quot;new&quot; &lt;one> &amp; more" regularExpressionString="[A-Z].*" \
    elementID="name" versionHashModifier="1" indexed="YES">
                <userInfo>
                    <entry key="note" value="two&#10;lines"/>
                </userInfo>
            </attribute>
            <attribute name="titleFolded" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="canonical:(title)"/>
            <attribute name="trackCount" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="tracks.@count" usesScalarValueType="YES"/>
            <attribute name="uuid" optional="YES" attributeType="UUID" usesScalarValueType="NO" \
    allowsCloudEncryption="YES" preserveAfterDeletion="YES"/>
            <relationship name="tracks" optional="YES" toMany="YES" minCount="1" maxCount="40" \
    deletionRule="Cascade" ordered="YES" destinationEntity="Track" inverseName="album" inverseEntity="Track"/>
            <fetchedProperty name="longTracks" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Track" \
    predicateString="album == $FETCH_SOURCE AND length > 600"/>
            </fetchedProperty>
            <fetchIndex name="byTitle">
                <fetchIndexElement property="title" type="Binary" order="descending"/>
                <fetchIndexElement expression="length:(title)" expressionType="Integer 64" type="Binary" \
    order="ascending"/>
            </fetchIndex>
            <fetchIndex name="byPlace" partialIndexPredicate="isLive == 1">
                <fetchIndexElement property="price" type="RTree" order="ascending"/>
            </fetchIndex>
            <compoundIndexes>
                <compoundIndex>
                    <index value="title"/>
                    <index value="released"/>
                </compoundIndex>
            </compoundIndexes>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="title"/>
                    <constraint value="released"/>
                </uniquenessConstraint>
                <uniquenessConstraint>
                    <constraint value="uuid"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
            <userInfo>
                <entry key="plural" value="Albums"/>
            </userInfo>
        </entity>
        <entity name="LiveAlbum" representedClassName="LiveAlbum" parentEntity="Album" syncable="YES"/>
        <entity name="Track" syncable="YES" codeGenerationType="category">
            <attribute name="length" attributeType="Float" defaultValueString="0.0" usesScalarValueType="YES"/>
            <relationship name="album" maxCount="1" deletionRule="Deny" destinationEntity="Album" \
    inverseName="tracks" inverseEntity="Album" versionHashModifier="9"/>
            <relationship name="covers" optional="YES" toMany="YES" deletionRule="No Action" \
    destinationEntity="Track" inverseName="covers" inverseEntity="Track"/>
        </entity>
        <fetchRequest name="byTitle" entity="Album" predicateString="title BEGINSWITH[cd] $TITLE" \
    resultType="1" fetchLimit="10" fetchBatchSize="5" includeSubentities="NO" returnObjectsAsFaults="NO"/>
        <configuration name="Local">
            <memberEntity name="Album"/>
            <memberEntity name="Track"/>
        </configuration>
        <composite name="Place">
            <attribute name="latitude" optional="YES" attributeType="Double" defaultValueString="0.0"/>
            <attribute name="name" optional="YES" attributeType="String"/>
        </composite>
        <elements>
            <element name="Album" positionX="-63" positionY="18" width="128" height="44"/>
        </elements>
    </model>
    """
